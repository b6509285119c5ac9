import { chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  ensureDatabase,
  startPostgres,
  type Postgres,
} from '../../../apps/standalone/postgres/postgres.js';
import { CertificateAuthority } from './certificates.js';

/** The certificate of the server is valid for this name only. */
const TLS_HOST = 'localhost';
/** A role that logs in with a certificate instead of a password. */
export const CERTIFIED_ROLE = 'certified';

const DATABASE = 'galley';
// Connections without TLS are accepted, too: a program that forgets TLS is found and not refused.
const CLIENT_AUTHENTICATION = [
  `hostssl all ${CERTIFIED_ROLE} all cert`,
  'host all all all scram-sha-256',
].join('\n');

/** An embedded PostgreSQL that has a certificate, and logs each connection. */
export class PostgresWithTls {
  private constructor(
    private readonly folder: string,
    private readonly server: Postgres,
    readonly authority: CertificateAuthority,
  ) {}

  static async start(): Promise<PostgresWithTls> {
    const folder = await mkdtemp(join(tmpdir(), 'galley-postgres-tls-'));
    const server = await startPostgres({
      dataDir: folder,
      flags: ['-c', 'fsync=off', '-c', 'log_connections=on'],
    });
    const authority = await CertificateAuthority.create(folder, 'authority');
    const postgres = new PostgresWithTls(folder, server, authority);
    const { cert, key } = await authority.issue(TLS_HOST);
    await postgres.writeServerFile('server.crt', cert);
    await postgres.writeServerFile('server.key', key);
    await postgres.writeServerFile('root.crt', await readFile(authority.file, 'utf8'));
    await postgres.writeServerFile('pg_hba.conf', CLIENT_AUTHENTICATION);
    await ensureDatabase(server, DATABASE);
    await postgres.query(`ALTER SYSTEM SET ssl_ca_file = 'root.crt'`);
    await postgres.query(`CREATE ROLE ${CERTIFIED_ROLE} LOGIN SUPERUSER`);
    await postgres.setTls('on');
    return postgres;
  }

  async setTls(state: 'on' | 'off'): Promise<void> {
    await this.query(`ALTER SYSTEM SET ssl = ${state}`);
    await this.query('SELECT pg_reload_conf()');
  }

  /** The URL for programs, with a host name that the certificate has, unless `host` is another one. */
  url(parameters: Record<string, string>, { host = TLS_HOST, user = '' } = {}): string {
    const url = new URL(this.server.urlOf(DATABASE));
    url.hostname = host;
    if (user !== '') Object.assign(url, { username: user, password: '' });
    // libpq does not read + as a space.
    url.search = new URLSearchParams(parameters).toString().replaceAll('+', '%20');
    return url.href;
  }

  /** Without TLS, as the tests' own connection. */
  async query<Row extends object>(statement: string): Promise<Row[]> {
    const client = new pg.Client(this.server.urlOf(DATABASE));
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  /** For each program of Galley that has connected so far, whether all of its connections had TLS. */
  async connectedPrograms(): Promise<Record<string, boolean>> {
    const log = await readFile(join(this.folder, 'postgres', 'postgres.log'), 'utf8');
    const programs: Record<string, boolean> = {};
    for (const [, name = '', rest = ''] of log.matchAll(
      /connection authorized: .*application_name=(galley [a-z-]+)(.*)/g,
    )) {
      programs[name] = (programs[name] ?? true) && rest.includes('SSL enabled');
    }
    return programs;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.folder, { recursive: true, maxRetries: 10 });
  }

  private async writeServerFile(name: string, content: string): Promise<void> {
    const folder = join(this.folder, 'postgres', 'data');
    const { uid, gid } = await stat(folder);
    await writeFile(join(folder, name), content, { mode: 0o600 });
    await chown(join(folder, name), uid, gid);
  }
}
