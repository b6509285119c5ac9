import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { probePort } from '../../../apps/standalone/ports.js';
import {
  ensureDatabase,
  startPostgres,
  type Postgres,
} from '../../../apps/standalone/postgres/postgres.js';

const DATABASE = 'galley';
const SETTINGS = ['fsync=off', 'wal_retrieve_retry_interval=200ms'];

/** An embedded PostgreSQL and its asynchronous standby, which programs reach through a proxy. */
export class StreamingPair {
  private constructor(
    private readonly folder: string,
    private readonly primary: Postgres,
    private standby: Postgres,
    private readonly proxy: ChildProcess,
    private readonly standbyPort: number,
    private readonly proxyPort: number,
  ) {}

  static async start(): Promise<StreamingPair> {
    const folder = await mkdtemp(join(tmpdir(), 'galley-replica-'));
    const [standbyPort, proxyPort] = [await probePort(0), await probePort(0)];
    const first = await startServer(folder, 'primary');
    await ensureDatabase(first, DATABASE);
    await first.stop();
    // A copy of the stopped server is a standby that has everything.
    await promisify(execFile)('cp', ['-a', join(folder, 'primary'), join(folder, 'standby')]);
    await writeFile(join(folder, 'standby', 'postgres', 'data', 'standby.signal'), '');
    const primary = await startServer(folder, 'primary');
    const standby = await startStandby(folder, standbyPort, primary);
    const proxy = fork('test/chaos/tcp-proxy.js', [String(proxyPort), String(standbyPort)], {
      execArgv: [],
    });
    await once(proxy, 'message');
    return new StreamingPair(folder, primary, standby, proxy, standbyPort, proxyPort);
  }

  get primaryUrl(): string {
    return this.primary.urlOf(DATABASE);
  }

  get replicaUrl(): string {
    return this.urlAt(this.proxyPort);
  }

  /** While the replay is paused, the standby goes on and does not change. */
  pauseReplay = () => this.query(this.urlAt(this.standbyPort), 'SELECT pg_wal_replay_pause()');
  resumeReplay = () => this.query(this.urlAt(this.standbyPort), 'SELECT pg_wal_replay_resume()');
  promote = () => this.query(this.urlAt(this.standbyPort), 'SELECT pg_promote()');

  stopStandby = () => this.standby.stop();

  async startStandby(): Promise<void> {
    this.standby = await startStandby(this.folder, this.standbyPort, this.primary);
  }

  /** Connections to the standby stay open and new ones are accepted, but nothing responds. */
  fallSilent = () => this.proxy.kill('SIGSTOP');
  speakAgain = () => this.proxy.kill('SIGCONT');

  async stop(): Promise<void> {
    this.proxy.kill('SIGKILL');
    await Promise.all([this.primary.stop(), this.standby.stop()]);
    await rm(this.folder, { recursive: true, maxRetries: 10 });
  }

  private async query(url: string, statement: string): Promise<void> {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  }

  private urlAt(port: number): string {
    return Object.assign(new URL(this.primaryUrl), { port: String(port) }).href;
  }
}

function startServer(folder: string, name: string, settings: string[] = []): Promise<Postgres> {
  const flags = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]);
  return startPostgres({ dataDir: join(folder, name), flags });
}

function startStandby(folder: string, port: number, primary: Postgres): Promise<Postgres> {
  const source = new URL(primary.urlOf(DATABASE));
  const { hostname, username, password } = source;
  const connection = `host=${hostname} port=${source.port} user=${username} password=${password}`;
  return startServer(folder, 'standby', [`port=${port}`, `primary_conninfo=${connection}`]);
}
