import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { connect } from './connect.js';
import { dataSourceOptions, PLANS, type DatabaseOptions } from './data-source.js';
import { Database } from './database.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { Keysets } from './keyset.js';
import { Partitions } from './partitions.js';
import { UnitOfWork } from './unit-of-work.js';

@Module({})
export class DatabaseModule {
  static forRoot(given: DatabaseOptions): DynamicModule {
    const options = { ...given, settings: { ...PLANS, ...given.settings } };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          // `connect` tries again and says so; Nest would wait in silence.
          useFactory: () => ({ ...dataSourceOptions(options), toRetry: () => false }),
          dataSourceFactory: () => connect(options),
        }),
      ],
      providers: [Database, IdempotencyKeys, Keysets, Partitions, UnitOfWork],
      exports: [Database, IdempotencyKeys, Keysets, Partitions, UnitOfWork],
    };
  }
}
