import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index counts endpoints by status without reading them. It is built while changes go on, which is possible
 * only without a transaction.
 */
export class EndpointsByStatus1763683215010 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // A build that failed leaves an index that is not valid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS webhook_endpoints_by_status');
    // The build waits for the end of all older transactions, and no statement waits behind it.
    await runner.query('SET lock_timeout = 0');
    await runner.query(
      'CREATE INDEX CONCURRENTLY webhook_endpoints_by_status ON webhook_endpoints (status) WHERE workspace_deleted_at IS NULL',
    );
    await runner.query('RESET lock_timeout');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_endpoints_by_status');
  }
}
