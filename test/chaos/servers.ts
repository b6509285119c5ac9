import { execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { probePort } from '../../apps/standalone/ports.js';
import { startPostgres, type Postgres } from '../../apps/standalone/postgres/postgres.js';
import { eventually } from '../support/eventually.js';

const execute = promisify(execFile);

const DISK_SIZE = '1g';
const REDIS_PROGRAM = 'redis-server';

/**
 * PostgreSQL with a synchronous standby, behind a proxy whose port never changes. Programs and writers use the
 * proxy.
 */
export class PostgresPair {
  private readonly servers = new Map<'first' | 'second', Postgres>();
  private readonly ports = new Map<string, number>();
  private proxy: ChildProcess | undefined;
  private primary: 'first' | 'second' = 'first';
  private proxyPort = 0;
  private hasDisk = false;

  private constructor(
    private readonly directory: string,
    private readonly hasStandby: boolean,
  ) {}

  /**
   * @param options.hasStandby whether there is a second server, and a file system of its own for the first
   * one.
   */
  static async start(
    directory: string,
    { hasStandby }: { hasStandby: boolean },
  ): Promise<PostgresPair> {
    const pair = new PostgresPair(directory, hasStandby);
    for (const name of ['first', 'second']) pair.ports.set(name, await probePort(0));
    pair.proxyPort = await probePort(0);
    if (hasStandby) await pair.startWithStandby();
    else await pair.startServer('first');
    await pair.startProxy();
    return pair;
  }

  get url(): string {
    return this.urlAt(this.proxyPort);
  }

  /** The reason why the disk cannot be filled. */
  get diskProblem(): string | undefined {
    return this.hasDisk ? undefined : 'only root can mount the small file system';
  }

  /** Ends all sessions (57P01), and starts the server again. */
  async restart(): Promise<void> {
    await this.servers.get(this.primary)?.stop();
    await this.startServer(this.primary);
  }

  /** All connections are lost, and new ones are refused, until `acceptConnections`. */
  async refuseConnections(): Promise<void> {
    const { proxy } = this;
    if (proxy === undefined) return;
    const exited = once(proxy, 'exit');
    proxy.kill('SIGKILL');
    await exited;
  }

  acceptConnections(): Promise<void> {
    return this.startProxy();
  }

  /** Connections stay open and new ones are accepted, but nothing responds. */
  fallSilent(): void {
    this.proxy?.kill('SIGSTOP');
  }

  speakAgain(): void {
    this.proxy?.kill('SIGCONT');
  }

  /** A file takes all space of the first server's disk. */
  async fillDisk(): Promise<void> {
    const file = join(this.diskPath, 'ballast');
    // The command fails when there is no space left.
    await execute('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M']).catch(() => undefined);
  }

  /** Frees the disk, and starts the server again if it has given up. */
  async freeDisk(): Promise<void> {
    await rm(join(this.diskPath, 'ballast'));
    const { exited } = this.servers.get(this.primary) ?? {};
    const isRunning = await Promise.race([exited, Promise.resolve()]).then(
      (reason) => reason === undefined,
    );
    if (!isRunning) await this.startServer(this.primary);
  }

  /**
   * The standby becomes the primary and gets all new connections. The former primary goes on, read-only, until
   * `stopFormerPrimary`.
   */
  async failOver(): Promise<void> {
    await this.query('first', 'ALTER SYSTEM SET default_transaction_read_only = on');
    await this.query('first', 'SELECT pg_reload_conf()');
    await this.query('second', 'SELECT pg_promote()');
    this.primary = 'second';
    this.proxy?.send(this.portOf('second'));
  }

  async stopFormerPrimary(): Promise<void> {
    await this.servers.get('first')?.stop();
    this.servers.delete('first');
  }

  async stop(): Promise<void> {
    this.speakAgain();
    this.proxy?.kill('SIGKILL');
    await Promise.all([...this.servers.values()].map((server) => server.stop()));
    if (this.hasDisk) await execute('umount', [this.diskPath]);
  }

  private async startWithStandby(): Promise<void> {
    await mkdir(this.diskPath, { recursive: true });
    this.hasDisk = await execute('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=${DISK_SIZE},mode=755`,
      'tmpfs',
      this.diskPath,
    ]).then(
      () => true,
      () => false,
    );
    await this.startServer('first');
    await this.servers.get('first')?.stop();
    // A copy of the stopped server is a standby that has everything.
    await execute('cp', ['-a', `${this.dataDir('first')}/.`, this.dataDir('second')]);
    await writeFile(join(this.dataDir('second'), 'postgres', 'data', 'standby.signal'), '');
    await this.startServer('first');
    await this.startServer('second');
    await this.query('first', `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await this.query('first', 'SELECT pg_reload_conf()');
  }

  private async startServer(name: 'first' | 'second'): Promise<void> {
    const port = this.portOf(name);
    const settings = [
      `port=${port}`,
      // No fault is a crash of the machine.
      'fsync=off',
      'max_wal_size=256MB',
      'wal_retrieve_retry_interval=200ms',
      `primary_conninfo=${this.standbyConnection(name)}`,
    ];
    const server = await startPostgres({
      dataDir: this.dataDir(name),
      flags: settings.flatMap((setting) => ['-c', setting]),
    });
    this.servers.set(name, server);
  }

  private standbyConnection(name: string): string {
    const primary = this.servers.get('first');
    if (name === 'first' || primary === undefined) return '';
    const { username, password } = new URL(primary.urlOf('postgres'));
    return `host=127.0.0.1 port=${this.portOf('first')} user=${username} password=${password}`;
  }

  private async startProxy(): Promise<void> {
    const args = [this.proxyPort, this.portOf(this.primary)].map(String);
    this.proxy = fork('test/chaos/tcp-proxy.js', args, { execArgv: [] });
    await once(this.proxy, 'message');
  }

  private async query(name: 'first' | 'second', statement: string): Promise<void> {
    const client = new pg.Client(this.urlAt(this.portOf(name)));
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  private get diskPath(): string {
    return join(this.directory, 'disk');
  }

  private dataDir(name: 'first' | 'second'): string {
    return this.hasStandby && name === 'first' ? this.diskPath : join(this.directory, name);
  }

  private portOf(name: string): number {
    return this.ports.get(name) ?? 0;
  }

  /** `urlOf` names a port that `startPostgres` chose. The servers listen on the port in their flags. */
  private urlAt(port: number): string {
    const [server] = this.servers.values();
    const url = new URL(server?.urlOf('postgres') ?? '');
    url.port = String(port);
    return url.href;
  }
}

/** A Redis whose port never changes. */
export class RedisServer {
  private server: ChildProcess | undefined;

  private constructor(private readonly port: number) {}

  static async start(): Promise<RedisServer> {
    const redis = new RedisServer(await probePort(0));
    await redis.startServer();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async empty(): Promise<void> {
    const client = new Redis(this.url);
    await client.flushall();
    client.disconnect();
  }

  pause(): void {
    this.server?.kill('SIGSTOP');
  }

  resume(): void {
    this.server?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }

  /** Starts an empty server on the port of the former one. */
  async startServer(): Promise<void> {
    const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.server = spawn(REDIS_PROGRAM, ['--port', String(this.port), ...settings], {
      stdio: 'ignore',
    });
    const client = new Redis(this.url, { maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    await eventually('Redis to be ready', () => client.ping());
    client.disconnect();
  }
}
