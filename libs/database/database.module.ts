import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { settledWithin } from '#shutdown';
import type { DataSource } from 'typeorm';
import { connect } from './connection/connect.js';
import {
  dataSourceOptions,
  PLANNER_SETTINGS,
  type DatabaseOptions,
} from './connection/data-source.js';
import { CompleteDatabase } from './completeness/complete-database.js';
import { Database } from './database.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { Keysets } from './lists/keyset.js';
import { Partitions } from './partitions/partitions.js';
import { CallerPositions } from './replica/caller-positions.js';
import { Reads, type ReplicaParts } from './replica/reads.js';
import { Replica } from './replica/replica.js';
import { UnitOfWork } from './unit-of-work.js';

export interface ReplicaOptions {
  /** The URL of a streaming standby for reads; undefined if there is none. */
  url: string | undefined;
  /** Needed if several processes use a replica; see `CallerPositions`. */
  redisUrl: string | undefined;
  /** The prefix of all keys in Redis, from `QUEUE_PREFIX`. */
  prefix: string;
}

// Closing the pool waits for running statements, which takes 35 s if PostgreSQL does not respond. During a shutdown,
// nobody needs the results of these statements.
const END_MS = 1_000;

@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions, replica?: ReplicaOptions): DynamicModule {
    const effectiveOptions = { ...options, settings: { ...PLANNER_SETTINGS, ...options.settings } };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          // `connect` already retries, and logs the reason for each failure. Nest must not retry as well.
          useFactory: () => ({ ...dataSourceOptions(effectiveOptions), toRetry: () => false }),
          dataSourceFactory: async () => endWithoutWaiting(await connect(effectiveOptions)),
        }),
      ],
      providers: [
        CompleteDatabase,
        Database,
        IdempotencyKeys,
        Keysets,
        Partitions,
        UnitOfWork,
        {
          provide: Reads,
          inject: [Database],
          useFactory: (database: Database) =>
            new Reads(database, replica && createReplica(database, effectiveOptions, replica)),
        },
      ],
      exports: [
        CompleteDatabase,
        Database,
        IdempotencyKeys,
        Keysets,
        Partitions,
        Reads,
        UnitOfWork,
      ],
    };
  }
}

function endWithoutWaiting(dataSource: DataSource): DataSource {
  const destroy = dataSource.destroy.bind(dataSource);
  dataSource.destroy = () => settledWithin(END_MS, destroy());
  return dataSource;
}

function createReplica(
  database: Database,
  options: DatabaseOptions,
  { url, redisUrl, prefix }: ReplicaOptions,
): ReplicaParts | undefined {
  if (url === undefined) return undefined;
  return {
    replica: new Replica({ ...options, url }, database),
    positions: new CallerPositions({ redisUrl, prefix }),
  };
}
