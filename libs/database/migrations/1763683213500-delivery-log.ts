import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeliveryLog1763683213500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The URL that the request was sent to; null if nothing was sent.
      ALTER TABLE webhook_attempts ADD COLUMN url text;
      -- The delivery of a test can be read before the test is relayed. The column is null for all other
      -- events.
      CREATE INDEX outbox_of_endpoint ON outbox (endpoint_id, id) WHERE endpoint_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX outbox_of_endpoint;
      ALTER TABLE webhook_attempts DROP COLUMN url;
    `);
  }
}
