import { StartupError } from '#errors';
import type { DataSource } from 'typeorm';
import { sessionSettings, type DatabaseOptions } from './data-source.js';

interface ActualSetting {
  name: string;
  value: string;
  /** The source of the value; `session` after a SET. */
  source: string;
}

// PgBouncer refuses unknown startup parameters with this message. Only the message distinguishes the error
// from other protocol violations (SQLSTATE 08P01).
const REFUSED_PARAMETER = /unsupported startup parameter/;

/**
 * Turns the error of a pooler that refuses the settings into a `StartupError` with advice. Returns all other errors
 * unchanged.
 */
export const explainRefusal = (error: unknown, options: DatabaseOptions): unknown =>
  error instanceof Error && REFUSED_PARAMETER.test(error.message)
    ? poolerError(error.message, options)
    : error;

/**
 * Checks that the settings are in force, because a pooler that ignores startup parameters drops them without
 * an error. The pooler must then set them itself.
 *
 * @throws StartupError if a setting has another value.
 */
export async function requireSettings(
  dataSource: DataSource,
  options: DatabaseOptions,
): Promise<void> {
  const expected = sessionSettings(options);
  const actual = await dataSource.query<ActualSetting[]>(
    'SELECT name, setting AS value, source FROM pg_settings WHERE name = ANY ($1)',
    [[...Object.keys(expected), 'synchronous_commit']],
  );
  const problems = actual.flatMap(({ name, value, source }) => {
    const wanted = expected[name] ?? (isLossy(name, value, source) ? 'on' : value);
    return value === wanted ? [] : [`${name} is ${value} and not ${wanted}`];
  });
  if (problems.length > 0) throw poolerError(problems.join(', '), options);
}

/**
 * The worker uses asynchronous commits. The API must not, because a crash of PostgreSQL could undo a change that the
 * API has confirmed. A program gets the setting by mistake if it uses the worker's entry in a pooler's configuration. A
 * value that was set for the database or for the role is accepted, because an operator has chosen it.
 */
const isLossy = (name: string, value: string, source: string): boolean =>
  name === 'synchronous_commit' && value === 'off' && source === 'session';

function poolerError(reason: string, options: DatabaseOptions): StartupError {
  if (options.isDirect) {
    return new StartupError(
      `${options.applicationName} needs a direct connection to PostgreSQL, but the connection goes through a pooler (${reason}). Set DATABASE_DIRECT_URL to the URL of PostgreSQL.`,
    );
  }
  const statements = Object.entries(sessionSettings(options)).map(
    ([name, value]) => `SET ${name} = ${value}`,
  );
  return new StartupError(
    `DATABASE_URL points to a connection pooler whose sessions lack settings that ${options.applicationName} needs (${reason}). In pgbouncer.ini, set ignore_startup_parameters = options,statement_timeout, and give ${options.applicationName} an entry of its own in [databases] with connect_query='${statements.join('; ')}'. Then restart PgBouncer. docker/pgbouncer/pgbouncer.ini is an example.`,
  );
}
