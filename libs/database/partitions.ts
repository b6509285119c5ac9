import { Injectable } from '@nestjs/common';
import { BEGIN, Database } from './database.js';
import { endOfPartition, partitionedTableNames, partitionsBetween } from './partition-plan.js';

const DAY_MS = 24 * 60 * 60 * 1000;
// However long no worker has run, the next one to start makes up for it before it relays.
const CREATE_AHEAD_MS = 14 * DAY_MS;

// Any number will do, as long as it is no other lock's.
const PARTITIONS_LOCK = 4_713_863;
// Each partition that is made or dropped locks its table for a moment. A long statement of somebody
// else's must not hold up everybody behind that lock; there is another try in an hour.
const LOCK_TIMEOUT = '2s';

interface ExistingPartitions {
  now: Date;
  names: string[];
}

/**
 * What has happened is kept by the week, so that what is past its time goes with its partition, at
 * no cost for those who read and write meanwhile. Weeks and not days: a statement that looks for
 * the events of deliveries takes a lock on every partition that there is.
 */
@Injectable()
export class Partitions {
  constructor(private readonly database: Database) {}

  /** Makes those of this week and the next two. Several workers may do so at once. */
  async createAhead(): Promise<void> {
    await this.execute(({ now, names }) => {
      const ahead = new Date(now.getTime() + CREATE_AHEAD_MS);
      const wanted = [...partitionsBetween(now, ahead)];
      return wanted.filter(([name]) => !names.includes(name)).map(([, statement]) => statement);
    });
  }

  /** Drops those that ended more than `keptDays` ago. */
  async dropExpired(retentionDays: number): Promise<void> {
    await this.execute(({ now, names }) => {
      const expiredBefore = now.getTime() - retentionDays * DAY_MS;
      const expired = names.filter((name) => endOfPartition(name).getTime() <= expiredBefore);
      return expired.map((name) => `DROP TABLE ${name}`);
    });
  }

  /** @param statementsFor what is to be done, given what there is. */
  private async execute(statementsFor: (existing: ExistingPartitions) => string[]): Promise<void> {
    await this.database.withClient(async (client) => {
      try {
        await client.query(`${BEGIN}; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
        await client.query('SELECT pg_advisory_xact_lock($1)', [PARTITIONS_LOCK]);
        // The clock of PostgreSQL, since the rows have it too: with a worker's, which may be wrong,
        // the wrong ones could go.
        const { rows } = await client.query<ExistingPartitions>(
          `SELECT now(), coalesce(array_agg(inhrelid::regclass::text), '{}') AS names
           FROM pg_inherits WHERE inhparent = ANY ($1::regclass[])`,
          [partitionedTableNames],
        );
        const [existing] = rows;
        if (existing === undefined) throw new Error('An aggregate gave no row.');
        for (const statement of statementsFor(existing)) await client.query(statement);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    });
  }
}
