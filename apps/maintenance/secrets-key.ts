import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { RestoreConfig } from '#config';
import { DatabaseModule } from '#database';
import { EncryptionModule } from '#encryption';
import { EndpointSecrets } from '#webhooks';

@Module({})
class SecretsModule {}

/** Returns what is wrong if SECRETS_KEY is not the key of the secrets in the database. */
export async function findKeyProblem(config: RestoreConfig): Promise<string | undefined> {
  const app = await NestFactory.createApplicationContext(
    {
      module: SecretsModule,
      imports: [
        DatabaseModule.forRoot({
          url: config.DATABASE_URL,
          poolSize: 1,
          applicationName: 'galley restore',
        }),
        EncryptionModule.forRoot({ key: config.SECRETS_KEY, oldKeys: config.SECRETS_KEYS_OLD }),
      ],
      providers: [EndpointSecrets],
    },
    { logger: false, abortOnError: false },
  );
  try {
    return await app.get(EndpointSecrets).problem();
  } finally {
    await app.close();
  }
}
