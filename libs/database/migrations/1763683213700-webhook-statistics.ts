import type { MigrationInterface, QueryRunner } from 'typeorm';
import { statisticsPartitionsBetween } from '../partitions/partition-plan.js';

// A worker creates further partitions when it starts, and then every hour.
const CREATE_AHEAD_MS = 14 * 24 * 60 * 60 * 1000;

export class WebhookStatistics1763683213700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Counts of attempts and deliveries in five minutes. Like the history, the rows have no foreign key:
      -- the rows of a deleted endpoint can no longer be read, and are dropped with the partition of their
      -- week.
      CREATE TABLE webhook_statistics (
        -- The id of an endpoint or of a workspace. The row of a workspace counts all its endpoints.
        subject_id uuid NOT NULL,
        -- When the five minutes begin, by PostgreSQL's clock.
        interval_start timestamptz NOT NULL,
        attempts integer NOT NULL,
        -- Finished deliveries, by result.
        delivered integer NOT NULL,
        failed integer NOT NULL,
        -- Failed attempts after which the delivery gets another attempt.
        retried integer NOT NULL,
        -- The response times of attempts that reached the receiver. Each column counts the times above the
        -- bound of the column before, up to its own bound, in milliseconds.
        within_1 integer NOT NULL,
        within_2 integer NOT NULL,
        within_4 integer NOT NULL,
        within_8 integer NOT NULL,
        within_16 integer NOT NULL,
        within_32 integer NOT NULL,
        within_64 integer NOT NULL,
        within_128 integer NOT NULL,
        within_256 integer NOT NULL,
        within_512 integer NOT NULL,
        within_1024 integer NOT NULL,
        within_2048 integer NOT NULL,
        within_4096 integer NOT NULL,
        within_8192 integer NOT NULL,
        within_15000 integer NOT NULL,
        longer integer NOT NULL,
        PRIMARY KEY (subject_id, interval_start)
      ) PARTITION BY RANGE (interval_start);

      -- The last attempt that failed; null before the first failure.
      ALTER TABLE webhook_flows ADD COLUMN last_failed_delivery_id uuid;
      ALTER TABLE webhook_flows ADD COLUMN last_failed_claim integer;
      -- Whether the receiver asked for the pause until open_until, with Retry-After. Otherwise the circuit
      -- breaker pauses the endpoint.
      ALTER TABLE webhook_flows ADD COLUMN is_pause_requested boolean NOT NULL DEFAULT false;
    `);
    const [clock] = (await runner.query('SELECT now()')) as [{ now: Date }];
    const ahead = new Date(clock.now.getTime() + CREATE_AHEAD_MS);
    for (const statement of statisticsPartitionsBetween(clock.now, ahead).values()) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE webhook_statistics;
      ALTER TABLE webhook_flows DROP COLUMN last_failed_delivery_id, DROP COLUMN last_failed_claim,
        DROP COLUMN is_pause_requested;
    `);
  }
}
