import { randomBytes } from 'node:crypto';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DatabaseModule } from '#database';
import { EncryptionModule } from '#encryption';
import { WebhooksModule } from '#webhooks';
import { activeKeyRing } from '../../support/secrets/active-key-ring.js';

/** An earlier key of secrets at rest. */
export const OLD_KEY = randomBytes(32);

@Module({})
class Engine {}

/**
 * Starts the engine as a worker has it, without the loops that drive it.
 * @param schema functions of this schema stand in for those of PostgreSQL.
 */
export function startEngine(url: string, schema: string): Promise<INestApplicationContext> {
  const settings = { search_path: `${schema},pg_catalog,public` };
  const imports = [
    DatabaseModule.forRoot({ url, poolSize: 3, applicationName: 'galley worker', settings }),
    EncryptionModule.forRoot(activeKeyRing(randomBytes(32), OLD_KEY)),
    WebhooksModule.forRoot({
      allowedRanges: [],
      allowedPorts: [],
      maxEndpoints: 0,
      allowHttp: false,
    }),
  ];
  return NestFactory.createApplicationContext(
    { module: Engine, imports },
    { logger: false, abortOnError: false },
  );
}
