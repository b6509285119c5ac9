import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { connect } from './connection/connect.js';
import {
  dataSourceOptions,
  PLANNER_SETTINGS,
  type DatabaseOptions,
} from './connection/data-source.js';
import { Database } from './database.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { Keysets } from './lists/keyset.js';
import { Partitions } from './partitions/partitions.js';
import { UnitOfWork } from './unit-of-work.js';

@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    const effectiveOptions = { ...options, settings: { ...PLANNER_SETTINGS, ...options.settings } };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          // `connect` retries and logs each failure; Nest would retry in silence.
          useFactory: () => ({ ...dataSourceOptions(effectiveOptions), toRetry: () => false }),
          dataSourceFactory: () => connect(effectiveOptions),
        }),
      ],
      providers: [Database, IdempotencyKeys, Keysets, Partitions, UnitOfWork],
      exports: [Database, IdempotencyKeys, Keysets, Partitions, UnitOfWork],
    };
  }
}
