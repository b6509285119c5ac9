import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A template has an external id of its own in its workspace, and so has a module. */
export class UniqueExternalIds1764547211000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An earlier try that was interrupted leaves an index behind that is not valid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS documents_by_external_id');
    // An expression instead of the bare workspace_id, because PostgreSQL would otherwise also use an index for lists to
    // look up an external id, and read all documents of the workspace.
    await runner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY documents_by_external_id
        ON documents (uuid_send(workspace_id), external_id, kind) WHERE external_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX documents_by_external_id');
  }
}
