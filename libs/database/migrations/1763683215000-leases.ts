import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Leases1763683215000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Work that one process at a time does for all. A row instead of an advisory lock, because a lock of a
      -- session does not survive a connection pooler.
      CREATE TABLE leases (
        name text PRIMARY KEY,
        holder uuid NOT NULL,
        expires_at timestamptz NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE leases');
  }
}
