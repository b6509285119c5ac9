import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { Program } from './program.js';

/** Starts a program of `apps/maintenance`. */
export const startMaintenance = (
  name: string,
  args: string[],
  environment: Record<string, string>,
): Program =>
  new Program(process.execPath, [`dist/apps/maintenance/${name}.js`, ...args], environment);

export async function runMaintenance(
  name: string,
  args: string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const program = startMaintenance(name, args, environment);
  const [code] = await program.exited;
  return { code, output: program.output };
}

/** Dumps are made without a pooler, so `DATABASE_DIRECT_URL` goes first. */
export const urlsOf = ({ url }: { url: string }) => ({
  DATABASE_URL: url,
  DATABASE_DIRECT_URL: url,
});

const majorVersionOf = (text: string) => Number(/\d+/.exec(text)?.[0] ?? 0);

/**
 * Whether pg_dump fits the server. The pg_dump of the machine is often older than the embedded PostgreSQL, so
 * tests that need it are skipped there. On the server of DATABASE_URL they never are.
 */
export async function canDump(): Promise<boolean> {
  const client = new pg.Client(process.env['GALLEY_TEST_SERVER']);
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  const { status, stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const isCurrent =
    status === 0 && majorVersionOf(stdout) >= majorVersionOf(rows[0]?.server_version ?? '');
  if (!isCurrent && process.env['DATABASE_URL']) {
    throw new Error('Install the client programs of PostgreSQL (Debian: postgresql-client).');
  }
  return isCurrent;
}
