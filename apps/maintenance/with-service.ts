import type { INestApplicationContext, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { resolveDirectUrl, type RestoreConfig } from '#config';
import { Database, DatabaseInspection, DatabaseModule, requireGalleyTables } from '#database';
import { StartupError } from '#errors';
import { KeyRotation, KeyRotationModule } from '#key-rotation';

@Module({})
class MaintenanceModule {}

/**
 * Connects to the database, passes the first of the services to `use`, and then closes the connection. The other
 * services are dependencies of the first one.
 *
 * @throws StartupError if the first connection attempt fails, or if a restore or a migration has not finished.
 */
export async function withService<Service extends object, Result>(
  config: RestoreConfig,
  services: readonly [Type<Service>, ...Type<object>[]],
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  const database = await DatabaseInspection.connect(resolveDirectUrl(config), {
    program: 'maintenance',
  });
  try {
    await requireGalleyTables(database.query);
  } finally {
    await database.close();
  }
  return await withContext(config, services, async (app) => {
    const problem = await app.get(Database).findIncompleteness();
    if (problem !== undefined) throw new StartupError(problem);
    return use(app.get(services[0]));
  });
}

/** Returns what is wrong with SECRETS_KEYS, if anything. */
export async function findKeyProblem(config: RestoreConfig): Promise<string | undefined> {
  return await withContext(config, [], (app) =>
    Promise.resolve(app.get(KeyRotation).findProblem()),
  );
}

async function withContext<Result>(
  config: RestoreConfig,
  providers: readonly Type<object>[],
  use: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const app = await NestFactory.createApplicationContext(
    {
      module: MaintenanceModule,
      imports: [
        DatabaseModule.forRoot({
          url: resolveDirectUrl(config),
          poolSize: 2,
          applicationName: 'galley maintenance',
        }),
        KeyRotationModule.forRoot('maintenance', config.SECRETS_KEYS),
      ],
      providers: [...providers],
    },
    { logger: false, abortOnError: false },
  );
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}
