import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The span to which an event's change belongs (W3C Trace Context), null while tracing is off. Programs of
 * earlier versions do not write these columns. Events that they store or relay only lose their trace.
 */
export class TraceContext1763683214900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The order of the locks is that of the relay.
    await runner.query(`
      ALTER TABLE outbox ADD COLUMN traceparent text;
      ALTER TABLE events ADD COLUMN traceparent text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbox DROP COLUMN traceparent;
      ALTER TABLE events DROP COLUMN traceparent;
    `);
  }
}
