import type { Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { RestoreConfig } from '#config';
import { DatabaseModule } from '#database';
import { KeyRotationModule } from '#key-rotation';

@Module({})
class MaintenanceModule {}

/**
 * Runs `use` with the first of the services and a connection to the database, and closes the connection. The other
 * services are those that the first one needs.
 */
export async function withService<Service extends object, Result>(
  config: RestoreConfig,
  [service, ...needed]: readonly [Type<Service>, ...Type<object>[]],
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
        KeyRotationModule.forRoot('maintenance', config.SECRETS_KEYS),
      ],
      providers: [service, ...needed],
    },
    { logger: false, abortOnError: false },
  );
  try {
    return await use(app.get(service));
  } finally {
    await app.close();
  }
}
