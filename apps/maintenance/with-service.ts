import type { Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { RestoreConfig } from '#config';
import { DatabaseModule } from '#database';
import { EncryptionModule } from '#encryption';

@Module({})
class MaintenanceModule {}

/** Runs `use` with a service and a connection to the database, and closes the connection. */
export async function withService<Service extends object, Result>(
  config: RestoreConfig,
  service: Type<Service>,
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  const app = await NestFactory.createApplicationContext(
    {
      module: MaintenanceModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: 2,
          applicationName: 'galley maintenance',
        }),
        EncryptionModule.forRoot({ key: config.SECRETS_KEY, oldKeys: config.SECRETS_KEYS_OLD }),
      ],
      providers: [service],
    },
    { logger: false, abortOnError: false },
  );
  try {
    return await use(app.get(service));
  } finally {
    await app.close();
  }
}
