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
    private primary: Postgres,
    private readonly primaryPort: number,
    private standby: Postgres,
    private readonly proxy: ChildProcess,
    private readonly standbyPort: number,
    private readonly proxyPort: number,
  ) {}

  static async start(): Promise<StreamingPair> {
    const folder = await mkdtemp(join(tmpdir(), 'galley-replica-'));
    const [primaryPort, standbyPort, proxyPort] = [
      await probePort(0),
      await probePort(0),
      await probePort(0),
    ];
    const first = await startServer(folder, 'primary');
    await ensureDatabase(first, DATABASE);
    await first.stop();
    // A copy of the stopped server is a standby that has everything.
    await copy(folder, 'primary', 'standby');
    await writeFile(join(folder, 'standby', 'postgres', 'data', 'standby.signal'), '');
    const primary = await startServer(folder, 'primary', [`port=${primaryPort}`]);
    const standby = await startStandby(folder, standbyPort, at(primary, primaryPort));
    const proxy = fork('test/chaos/tcp-proxy.js', [String(proxyPort), String(standbyPort)], {
      execArgv: [],
    });
    await once(proxy, 'message');
    return new StreamingPair(folder, primary, primaryPort, standby, proxy, standbyPort, proxyPort);
  }

  get primaryUrl(): string {
    return this.urlAt(this.primaryPort);
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
    this.standby = await startStandby(this.folder, this.standbyPort, this.primaryUrl);
  }

  async backUpPrimary(): Promise<void> {
    await this.restartPrimary(() => copy(this.folder, 'primary', 'backup'));
  }

  /** The primary then lacks what the standby has received since the backup. */
  async restorePrimary(): Promise<void> {
    await this.restartPrimary(async () => {
      await rm(join(this.folder, 'primary'), { recursive: true });
      await copy(this.folder, 'backup', 'primary');
    });
  }

  private async restartPrimary(whileStopped: () => Promise<unknown>): Promise<void> {
    await this.primary.stop();
    await whileStopped();
    this.primary = await startServer(this.folder, 'primary', [`port=${this.primaryPort}`]);
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
    return at(this.primary, port);
  }
}

const copy = (folder: string, from: string, to: string) =>
  promisify(execFile)('cp', ['-a', join(folder, from), join(folder, to)]);

const at = (server: Postgres, port: number): string =>
  Object.assign(new URL(server.urlOf(DATABASE)), { port: String(port) }).href;

/** The port of the settings replaces the port that the server would get. */
function startServer(folder: string, name: string, settings: string[] = []): Promise<Postgres> {
  const flags = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting]);
  return startPostgres({ dataDir: join(folder, name), flags });
}

function startStandby(folder: string, port: number, primaryUrl: string): Promise<Postgres> {
  const { hostname, port: primaryPort, username, password } = new URL(primaryUrl);
  const connection = `host=${hostname} port=${primaryPort} user=${username} password=${password}`;
  return startServer(folder, 'standby', [`port=${port}`, `primary_conninfo=${connection}`]);
}
