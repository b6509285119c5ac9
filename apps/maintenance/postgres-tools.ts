import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { explainConnectError } from '#database';
import { CommandError } from './command.js';

type Tool = 'pg_dump' | 'pg_restore' | 'psql';

interface ToolOptions {
  args: readonly string[];
  /** The program is killed when this signal aborts. */
  signal: AbortSignal;
  /** The URL of the database, if the program connects to one. */
  databaseUrl?: string;
  /** Whether the program reads the standard input of this process. */
  inheritsInput?: boolean;
}

interface RunningTool {
  input: Writable;
  output: Readable;
  /** Resolves when the program has ended. Rejects with a `CommandError` if it has failed. */
  finished: Promise<void>;
  kill: () => void;
}

/**
 * Starts a PostgreSQL client program. Its messages go to standard error. Its input and output are pipes to this
 * process. When this process ends, even by SIGKILL, the pipes close, and the program soon ends, too.
 */
export function startTool(tool: Tool, options: ToolOptions): RunningTool {
  const { args, signal, databaseUrl, inheritsInput = false } = options;
  const target = databaseUrl === undefined ? undefined : splitPassword(toLibpqUrl(databaseUrl));
  const child = spawn(tool, target ? [...args, `--dbname=${target.url}`] : args, {
    // The password is in the environment, because all users of the machine can read the command line of a process.
    env: { ...process.env, ...(target?.password && { PGPASSWORD: target.password }) },
    stdio: [inheritsInput ? 'inherit' : 'pipe', 'pipe', 'inherit'],
  });
  const kill = () => void child.kill();
  signal.addEventListener('abort', kill, { once: true });
  const finished = once(child, 'close').then(([code]) => {
    signal.removeEventListener('abort', kill);
    signal.throwIfAborted();
    if (code !== 0) throw new CommandError(`${tool} failed. Its messages are above.`);
  });
  // Prevents an unhandled rejection if the caller fails before it awaits `finished`.
  finished.catch(() => undefined);
  return { input: child.stdin as Writable, output: child.stdout as Readable, finished, kill };
}

/** Replaces connection parameters that only Galley's driver supports, because the client programs reject them. */
export const toLibpqUrl = (databaseUrl: string): string =>
  databaseUrl
    .replace(/([?&])sslmode=no-verify\b/, '$1sslmode=require')
    .replace(
      /([?&])uselibpqcompat=true(&|$)/,
      (_match, before: string, after: string) => after && before,
    );

function splitPassword(databaseUrl: string): { url: string; password: string } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { url: url.href, password };
}

/**
 * Checks that the client programs are installed and not older than the server. An older program cannot read the
 * catalogues of a newer server.
 */
export async function requireTools(
  tools: readonly Tool[],
  client: pg.Client,
  signal: AbortSignal,
): Promise<void> {
  const [row] = await queryOn<{ major: number }>(
    client,
    `SELECT current_setting('server_version_num')::integer / 10000 AS major`,
  );
  const server = row?.major ?? 0;
  for (const tool of tools) {
    const installed = await majorVersionOf(tool, signal);
    if (installed === undefined || installed < server) {
      const problem =
        installed === undefined ? `${tool} is not installed` : `${tool} is version ${installed}`;
      throw new CommandError(
        `${problem}, and the database is PostgreSQL ${server}. Install the client programs of PostgreSQL ${server} or newer (Debian: postgresql-client-${server}), and put their folder first in PATH.`,
      );
    }
  }
}

/** Returns undefined if the program is not installed. */
async function majorVersionOf(tool: Tool, signal: AbortSignal): Promise<number | undefined> {
  const child = spawn(tool, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const output = text(child.stdout);
  try {
    await once(child, 'close');
    // On Ctrl+C, the terminal interrupts the child process as well, and the output may be incomplete.
    signal.throwIfAborted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return Number(/\d+/.exec(await output)?.[0] ?? 0);
}

/** Opens a connection for this program's own statements. */
export async function connectTo(databaseUrl: string, program: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: `galley ${program}`,
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection needs no handler, because the next statement on the connection fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new CommandError(explainConnectError(error, databaseUrl));
  }
  return client;
}

export async function queryOn<Row extends object>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await client.query<Row>(text, values)).rows;
}
