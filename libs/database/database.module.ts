import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions, PLANS, type DatabaseOptions } from './data-source.js';
import { Database } from './database.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { Keysets } from './keyset.js';
import { Partitions } from './partitions.js';
import { UnitOfWork } from './unit-of-work.js';

@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      // Ten tries, three seconds apart, are Nest's default: a database that starts later is waited for.
      imports: [
        TypeOrmModule.forRoot(
          dataSourceOptions({ ...options, settings: { ...PLANS, ...options.settings } }),
        ),
      ],
      providers: [Database, IdempotencyKeys, Keysets, Partitions, UnitOfWork],
      exports: [Database, IdempotencyKeys, Keysets, Partitions, UnitOfWork],
    };
  }
}
