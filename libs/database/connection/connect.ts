import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { StartupError } from '#errors';
import { DataSource } from 'typeorm';
import { dataSourceOptions, PLANNER_SETTINGS, type DatabaseOptions } from './data-source.js';
import { sqlState } from './sql-state.js';
import { requireFinishedRestore } from '../completeness/unfinished-restore.js';
import { explainRefusal, requireSettings } from './session-settings.js';

// A database that starts together with Galley is usually ready within half a minute.
const MAX_TRIES = 10;
const RETRY_DELAY_MS = 3_000;
// invalid_catalog_name, invalid_authorization_specification, invalid_password and insufficient_privilege (the role may
// not connect to the database). Waiting would not help.
const REFUSALS = new Set(['3D000', '28000', '28P01', '42501']);
// The driver itself aborts the login if PostgreSQL asks for a password (SCRAM) and there is none.
const NO_PASSWORD = /^SASL: .*client password must be a.*/;
const PASSWORD_MISSING = 'DATABASE_URL has no password, and PostgreSQL asks for one';

const logger = new Logger('PostgreSQL');

/**
 * Connects to the database. Tries ten times by default, because the database may start later than Galley. Each failure
 * except the last one is logged. If PostgreSQL refuses the user, the password or the database, there are no further
 * tries.
 *
 * @throws StartupError if the database cannot be reached, or if a connection pooler in front of it does not give its
 * sessions the settings of this program.
 */
export async function connect(options: DatabaseOptions, maxTries = MAX_TRIES): Promise<DataSource> {
  for (let tries = 1; ; tries++) {
    try {
      const dataSource = await new DataSource(dataSourceOptions(options)).initialize();
      await requireSettings(dataSource, options).catch(async (error: unknown) => {
        await dataSource.destroy();
        throw error;
      });
      return dataSource;
    } catch (anyError) {
      const error = explainRefusal(anyError, options);
      if (error instanceof StartupError) throw error;
      if (isRefused(error) || tries === maxTries) {
        throw new StartupError(explainConnectError(error, options.url));
      }
      logger.error(
        { err: error, stage: 'connect', attempt: tries, retryInMs: RETRY_DELAY_MS },
        `Cannot connect to PostgreSQL at ${hostOf(options.url)}.`,
      );
      await delay(RETRY_DELAY_MS);
    }
  }
}

/**
 * Waits until PostgreSQL itself accepts connections with the settings that the API and the worker use.
 *
 * @throws StartupError if `connect` does, or if a restore of the database has not finished.
 */
export async function waitForDatabase(url: string): Promise<void> {
  const settings = {
    url,
    poolSize: 1,
    applicationName: 'galley migrate',
    settings: PLANNER_SETTINGS,
    isDirect: true,
  };
  const dataSource = await connect(settings);
  try {
    await requireFinishedRestore((text) => dataSource.query(text));
  } finally {
    await dataSource.destroy();
  }
}

const isRefused = (error: unknown): boolean =>
  REFUSALS.has(sqlState(error)) || messageOf(error) === PASSWORD_MISSING;

/** Returns a message for operators that says why there is no connection, and what to check. */
export function explainConnectError(error: unknown, url: string): string {
  const message = messageOf(error);
  return `Cannot connect to PostgreSQL at ${hostOf(url)}: ${message}. ${adviceFor(message, isRefused(error))}`;
}

function adviceFor(message: string, isRefused: boolean): string {
  if (/^permission denied/.test(message))
    return 'Grant the user of DATABASE_URL the right to connect, or use another user.';
  if (isRefused)
    return 'Check the user, the password and the name of the database in DATABASE_URL.';
  return /certificate/i.test(message)
    ? 'Check sslrootcert and the host name in DATABASE_URL.'
    : 'Check DATABASE_URL, and that PostgreSQL is running.';
}

/** Only the host and the port of the URL, because the URL contains the password. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'DATABASE_URL');

/** If a host has several addresses, the error contains one error for each address, and no message of its own. */
const messageOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map((cause) => messageOf(cause)).join('; ')
    : error instanceof Error
      ? error.message.replace(NO_PASSWORD, PASSWORD_MISSING)
      : String(error);
