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
  /** Ends the program when it aborts. */
  signal: AbortSignal;
  /** The database, if the program connects to one. */
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
 * process, so the program soon ends after this process has ended, even after SIGKILL.
 */
export function startTool(tool: Tool, options: ToolOptions): RunningTool {
  const { args, signal, databaseUrl, inheritsInput = false } = options;
  const target = databaseUrl === undefined ? undefined : splitPassword(toLibpqUrl(databaseUrl));
  const child = spawn(tool, target ? [...args, `--dbname=${target.url}`] : args, {
    // All users of the machine can read a command line, but not the environment of a process.
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
  // A caller may fail before it awaits `finished`.
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
    // On Ctrl+C, the terminal interrupts the child process as well.
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
  // A lost connection is reported by the next statement.
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
