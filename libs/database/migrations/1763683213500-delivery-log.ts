import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeliveryLog1763683213500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The URL that the request was sent to; null if nothing was sent.
      ALTER TABLE webhook_attempts ADD COLUMN url text;
      -- Finds a test event that is not relayed yet, so that clients can already read its delivery.
      -- endpoint_id is null for all other events.
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
