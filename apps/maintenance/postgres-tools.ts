import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { CommandError, messageOf } from './command.js';

type Tool = 'pg_dump' | 'pg_restore';

interface ToolOptions {
  databaseUrl: string;
  args: readonly string[];
  /** File descriptors of the file that is read and of the file that is written. */
  input?: number;
  output?: number;
}

/**
 * Runs a client program of PostgreSQL. Its messages go to standard error.
 *
 * @throws CommandError if the program fails.
 */
export async function runTool(tool: Tool, options: ToolOptions): Promise<void> {
  const { databaseUrl, args, input, output } = options;
  // All users of the machine can read a command line, but not the environment of a process.
  const { url, password } = splitPassword(toLibpqUrl(databaseUrl));
  const env = { ...process.env, ...(password !== '' && { PGPASSWORD: password }) };
  const child = spawn(tool, [...args, `--dbname=${url}`], {
    env,
    stdio: [input ?? 'ignore', output ?? 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new CommandError(`${tool} failed. Its messages are above.`);
}

/** Removes what only the driver of Galley knows, because the client programs refuse a URL with it. */
export const toLibpqUrl = (databaseUrl: string): string =>
  databaseUrl
    .replace(/([?&])sslmode=no-verify\b/, '$1sslmode=require')
    .replace(/&uselibpqcompat=true\b/g, '');

function splitPassword(databaseUrl: string): { url: string; password: string } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { url: url.href, password };
}

/**
 * Checks that the client program is installed, and not older than the server: an older program does not know
 * the server's catalogues.
 */
export async function requireTool(tool: Tool, client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ major: number }>(
    `SELECT current_setting('server_version_num')::integer / 10000 AS major`,
  );
  const server = rows[0]?.major ?? 0;
  const installed = await majorVersionOf(tool);
  if (installed === undefined || installed < server) {
    const problem =
      installed === undefined ? `${tool} is not installed` : `${tool} is version ${installed}`;
    throw new CommandError(
      `${problem}, and the database is PostgreSQL ${server}. Install the client programs of PostgreSQL ${server} or newer (Debian: postgresql-client-${server}), and put their folder first in PATH.`,
    );
  }
}

/** Undefined if the program is not installed. */
async function majorVersionOf(tool: Tool): Promise<number | undefined> {
  const child = spawn(tool, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const output = text(child.stdout);
  try {
    await once(child, 'close');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return Number(/\d+/.exec(await output)?.[0] ?? 0);
}

/** Opens a connection for the statements of the program itself. */
export async function connectTo(databaseUrl: string, program: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: `galley ${program}`,
    connectionTimeoutMillis: 10_000,
  });
  try {
    await client.connect();
  } catch (error) {
    throw new CommandError(
      `There is no connection to PostgreSQL: ${messageOf(error)}. Check DATABASE_URL.`,
    );
  }
  return client;
}
