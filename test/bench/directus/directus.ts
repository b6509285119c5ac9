import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { TestDatabase } from '../../support/galley/database.js';
import { Child } from '../child.js';
import type { Harness } from '../harness.js';

const execute = promisify(execFile);

// Directus pins an older isolated-vm, which has no binaries for Node 24.
const PACKAGE = {
  private: true,
  dependencies: { directus: '12.4.0' },
  overrides: { 'isolated-vm': '7.0.1' },
};
const FOLDER = resolve(`node_modules/.cache/directus-${PACKAGE.dependencies.directus}`);
const CLI = join(FOLDER, 'node_modules/directus/cli.js');
const COLLECTION = 'documents';

/** Installs Directus, unless an earlier run has done so. */
export async function installDirectus(): Promise<void> {
  const installed = join(FOLDER, 'installed');
  const isInstalled = await access(installed).then(
    () => true,
    () => false,
  );
  if (isInstalled) return;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify(PACKAGE));
  // Directus needs no install scripts: all binaries for PostgreSQL are in the packages.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  await execute('npm', args, { cwd: FOLDER });
  await writeFile(installed, '');
}

/** Directus with a database of its own and a collection of documents that keeps all revisions. */
export class Directus {
  readonly token = randomBytes(32).toString('hex');

  private constructor(
    readonly database: TestDatabase,
    private program: Child | undefined,
  ) {}

  static async start(harness: Harness): Promise<Directus> {
    const directus = new Directus(await harness.database('template1'), undefined);
    const environment = {
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      SECRET: randomBytes(32).toString('hex'),
      DB_CLIENT: 'pg',
      DB_CONNECTION_STRING: directus.database.url,
      ADMIN_EMAIL: 'bench@example.com',
      ADMIN_PASSWORD: randomBytes(16).toString('hex'),
      ADMIN_TOKEN: directus.token,
      EXTENSIONS_PATH: join(FOLDER, 'extensions'),
      STORAGE_LOCAL_ROOT: join(FOLDER, 'uploads'),
      // Neither side logs requests or refuses any.
      LOG_LEVEL: 'warn',
      PRESSURE_LIMITER_ENABLED: 'false',
      TELEMETRY: 'false',
      SERVE_APP: 'false',
    };
    const env = { PATH: process.env['PATH'], ...environment };
    await execute(process.execPath, [CLI, 'bootstrap'], { cwd: FOLDER, env });
    directus.program = await Child.start(pathToFileURL(CLI).href, environment, {
      args: ['start'],
      health: '/server/ping',
    });
    await directus.post('/collections', {
      collection: COLLECTION,
      meta: { accountability: 'all' },
      schema: {},
      fields: [
        {
          field: 'id',
          type: 'uuid',
          meta: { special: ['uuid'] },
          schema: { is_primary_key: true },
        },
        { field: 'name', type: 'string', schema: {} },
        { field: 'content', type: 'json', meta: { special: ['cast-json'] }, schema: {} },
        {
          field: 'date_created',
          type: 'timestamp',
          meta: { special: ['date-created'] },
          schema: {},
        },
        {
          field: 'date_updated',
          type: 'timestamp',
          meta: { special: ['date-updated'] },
          schema: {},
        },
      ],
    });
    return directus;
  }

  /** The URL of the documents. */
  get documentsUrl(): string {
    return `${this.program?.url}/items/${COLLECTION}`;
  }

  /** Creates a document and returns its id. */
  async create(document: object): Promise<string> {
    const { id } = await this.post<{ id: string }>(`/items/${COLLECTION}`, document);
    return id;
  }

  /** Whether each document has a revision. */
  async keepsRevisions(): Promise<boolean> {
    const [row] = await this.database.query<{ kept: boolean }>(
      `SELECT count(*) = (SELECT count(*) FROM ${COLLECTION}) AS kept
       FROM directus_revisions WHERE collection = '${COLLECTION}'`,
    );
    return row?.kept === true;
  }

  async stop(): Promise<void> {
    await this.program?.stop();
    await this.database.drop();
  }

  private async post<T>(path: string, body: object): Promise<T> {
    const response = await fetch(`${this.program?.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  }
}
