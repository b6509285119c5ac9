import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile, chmod } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

// Jest's global set-up imports this file without a transformation, so the file imports no other file of
// the project, and Node.js removes its types.

const EXAMPLE = new URL('../../../docker/pgbouncer/pgbouncer.ini', import.meta.url);

export interface PgBouncer {
  /** The host and port to use instead of those of PostgreSQL. */
  host: string;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer with docker/pgbouncer/pgbouncer.ini in front of the server of `databaseUrl`.
 *
 * @param adapt changes the configuration: the file names a database and accounts that the tests do not have.
 */
export async function startPgBouncer(
  databaseUrl: string,
  adapt: (configuration: string) => string,
): Promise<PgBouncer> {
  const directory = await mkdtemp(join(tmpdir(), 'galley-pgbouncer-'));
  // PgBouncer does not run as root, and another user must be able to read the file.
  await chmod(directory, 0o755);
  const port = await findFreePort();
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const account = `user=${username}${password && ` password=${password}`}`;
  const example = await readFile(EXAMPLE, 'utf8');
  const file = join(directory, 'pgbouncer.ini');
  const configuration = [
    adapt(example).replaceAll('host=postgres', `host=${hostname} port=${serverPort} ${account}`),
    // Later lines win. Clients need no password, and PostgreSQL gets the account above.
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
  ].join('\n');
  await writeFile(file, configuration);
  const user = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const child = spawn('pgbouncer', [...user, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on(
      'data',
      (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-4_000)),
    );
  }
  const failure = new Promise<never>((_resolve, reject) => {
    child.once('error', () =>
      reject(new Error('pgbouncer 1.21 or newer is missing: as root, run .ci/install-pgbouncer.')),
    );
    child.once('exit', () => reject(new Error(`PgBouncer ended:\n${output}`)));
  });
  await Promise.race([waitForPort(port), failure]);
  failure.catch(() => undefined);
  return { host: `127.0.0.1:${port}`, stop: () => stop(child, directory) };
}

async function stop(child: ChildProcess, directory: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    // SIGTERM would wait for the clients.
    child.kill('SIGKILL');
    await exited;
  }
  await rm(directory, { recursive: true, force: true });
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitForPort(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await delay(50);
  }
}
