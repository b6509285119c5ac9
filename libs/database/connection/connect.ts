import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { StartupError } from '#errors';
import { DataSource } from 'typeorm';
import { dataSourceOptions, PLANNER_SETTINGS, type DatabaseOptions } from './data-source.js';

// A database that starts together with Galley is usually ready within half a minute.
const MAX_TRIES = 10;
const RETRY_DELAY_MS = 3_000;

const logger = new Logger('PostgreSQL');

/**
 * Connects to the database. Tries ten times by default, because the database may start later than Galley. Each
 * failure but the last is one log line.
 *
 * @throws StartupError if the database cannot be reached, or if there is a connection pooler in front of
 * the database.
 */
export async function connect(
  options: DatabaseOptions,
  maxTries = MAX_TRIES,
): Promise<DataSource> {
  for (let tries = 1; ; tries++) {
    try {
      const dataSource = await new DataSource(dataSourceOptions(options)).initialize();
      await rejectPooler(dataSource, options.settings).catch(async (error: unknown) => {
        await dataSource.destroy();
        throw error;
      });
      return dataSource;
    } catch (error) {
      if (error instanceof StartupError) throw error;
      const message = messageOf(error);
      if (POOLER_ERROR.test(message)) throw new StartupError(poolerMessage(message));
      if (tries === maxTries) {
        throw new StartupError(
          `There is no connection to PostgreSQL at ${hostOf(options.url)}: ${message}. Check DATABASE_URL, and that PostgreSQL runs.`,
        );
      }
      logger.error(
        { err: error, stage: 'connect', attempt: tries, retryInMs: RETRY_DELAY_MS },
        `There is no connection to PostgreSQL at ${hostOf(options.url)}.`,
      );
      await delay(RETRY_DELAY_MS);
    }
  }
}

/** Waits until the database accepts connections with the settings that the API and the worker use. */
export async function waitForDatabase(url: string): Promise<void> {
  const settings = {
    url,
    poolSize: 1,
    applicationName: 'galley migrate',
    settings: PLANNER_SETTINGS,
  };
  const dataSource = await connect(settings);
  await dataSource.destroy();
}

// Only the message distinguishes this error from other protocol violations (SQLSTATE 08P01).
const POOLER_ERROR = /unsupported startup parameter/;

/**
 * Checks one of the settings, because a pooler that is configured to ignore unknown parameters drops all of
 * them without an error.
 */
async function rejectPooler(
  dataSource: DataSource,
  settings: Record<string, string> = {},
): Promise<void> {
  const [name, expected] = Object.entries(settings)[0] ?? [];
  if (name === undefined) return;
  const [row] = await dataSource.query<{ value: string }[]>('SELECT current_setting($1) AS value', [
    name,
  ]);
  if (row?.value === expected) return;
  throw new StartupError(poolerMessage(`${name} is ${row?.value} and not ${expected}`));
}

const poolerMessage = (reason: string): string =>
  `DATABASE_URL leads to a connection pooler such as PgBouncer, which does not pass on the settings of Galley's sessions (${reason}). Galley does not support poolers yet: set DATABASE_URL to the URL of PostgreSQL itself, and limit the connections with DATABASE_POOL_SIZE.`;

/** Only the host and the port of the URL, because the URL contains the password. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'DATABASE_URL');

/**
 * If a host has several addresses, the error contains one error for each address, and no message of its
 * own.
 */
const messageOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map((cause) => messageOf(cause)).join('; ')
    : error instanceof Error
      ? error.message
      : String(error);
