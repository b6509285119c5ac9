import { Injectable } from '@nestjs/common';
import { ADVISORY_LOCKS } from '../connection/advisory-locks.js';
import { BEGIN, Database } from '../database.js';
import { partitionsBetween, partitionEnd, partitionedTableNames } from './partition-plan.js';

const DAY_MS = 24 * 60 * 60 * 1000;
// Two weeks is enough. If all workers are down for longer, events wait in the outbox until a worker starts and creates
// the missing partitions.
const CREATE_AHEAD_MS = 14 * DAY_MS;

// Creating or dropping a partition locks its table for a moment. While the lock waits for another session's long
// statement, all later statements on the table queue behind it. So the timeout is short; the next try is an hour later.
const LOCK_TIMEOUT = '2s';

interface ExistingPartitions {
  now: Date;
  names: string[];
}

/**
 * Creates and drops the partitions of the history. Dropping a partition deletes expired history at no cost to readers
 * and writers. The partitions are weekly, because daily ones would be too many: a statement that looks up the events of
 * deliveries locks every partition.
 */
@Injectable()
export class Partitions {
  constructor(private readonly database: Database) {}

  /** Creates the partitions of this week and the next two. Several workers may do so at the same time. */
  async createAhead(): Promise<void> {
    await this.execute(({ now, names }) => {
      const ahead = new Date(now.getTime() + CREATE_AHEAD_MS);
      const wanted = [...partitionsBetween(now, ahead)];
      return wanted.filter(([name]) => !names.includes(name)).map(([, statement]) => statement);
    });
  }

  /** Drops the partitions that ended more than `retentionDays` ago. */
  async dropExpired(retentionDays: number): Promise<void> {
    await this.execute(({ now, names }) => {
      const expiredBefore = now.getTime() - retentionDays * DAY_MS;
      const expired = names.filter((name) => partitionEnd(name).getTime() <= expiredBefore);
      return expired.map((name) => `DROP TABLE ${name}`);
    });
  }

  /** @param statementsFor returns the statements to run, given the existing partitions. */
  private async execute(statementsFor: (existing: ExistingPartitions) => string[]): Promise<void> {
    await this.database.withClient(async (client) => {
      try {
        await client.query(`${BEGIN}; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
        await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.partitions]);
        // The time comes from PostgreSQL's clock, which also sets the times in the rows. A worker whose own clock is
        // wrong could otherwise drop the wrong partitions.
        const { rows } = await client.query<ExistingPartitions>(
          `SELECT now(), coalesce(array_agg(inhrelid::regclass::text), '{}') AS names
           FROM pg_inherits WHERE inhparent = ANY ($1::regclass[])`,
          [partitionedTableNames],
        );
        const [existing] = rows;
        if (existing === undefined) throw new Error('An aggregate returned no row.');
        for (const statement of statementsFor(existing)) await client.query(statement);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    });
  }
}
