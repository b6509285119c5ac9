import { Injectable } from '@nestjs/common';
import { BEGIN, Database } from './database.js';
import { endOfPartition, partitionedTables, partitionsBetween } from './partition-plan.js';

const DAY_MS = 24 * 60 * 60 * 1000;
// However long no worker has run, the next one to start makes up for it before it relays.
const AHEAD_MS = 14 * DAY_MS;

// Any number will do, as long as it is no other lock's.
const LOCK = 4_713_863;
// Each partition that is made or dropped locks its table for a moment. A long statement of somebody
// else's must not hold up everybody behind that lock; there is another try in an hour.
const LOCK_TIMEOUT = '2s';

interface Existing {
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
  async create(): Promise<void> {
    await this.change(({ now, names }) => {
      const ahead = new Date(now.getTime() + AHEAD_MS);
      const wanted = [...partitionsBetween(now, ahead)];
      return wanted.filter(([name]) => !names.includes(name)).map(([, statement]) => statement);
    });
  }

  /** Drops those that ended more than `keptDays` ago. */
  async drop(keptDays: number): Promise<void> {
    await this.change(({ now, names }) => {
      const oldest = now.getTime() - keptDays * DAY_MS;
      const past = names.filter((name) => endOfPartition(name).getTime() <= oldest);
      return past.map((name) => `DROP TABLE ${name}`);
    });
  }

  /** @param statementsFor what is to be done, given what there is. */
  private async change(statementsFor: (there: Existing) => string[]): Promise<void> {
    await this.database.withClient(async (client) => {
      try {
        await client.query(`${BEGIN}; SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
        await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
        // The clock of PostgreSQL, since the rows have it too: with a worker's, which may be wrong,
        // the wrong ones could go.
        const { rows } = await client.query<Existing>(
          `SELECT now(), coalesce(array_agg(inhrelid::regclass::text), '{}') AS names
           FROM pg_inherits WHERE inhparent = ANY ($1::regclass[])`,
          [partitionedTables],
        );
        const [there] = rows;
        if (there === undefined) throw new Error('An aggregate gave no row.');
        for (const statement of statementsFor(there)) await client.query(statement);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    });
  }
}
