import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EndpointWindow1763683213000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A new endpoint gets one attempt at a time until an attempt has succeeded, because the receiver may
    // never respond.
    await runner.query('ALTER TABLE webhook_flows ALTER COLUMN window_size SET DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_flows ALTER COLUMN window_size SET DEFAULT 2');
  }
}
