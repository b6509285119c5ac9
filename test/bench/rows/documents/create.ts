import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Child } from '../../child.js';
import { emailDocuments } from '../../content/documents.js';
import { compare, interleave, type SkippedRow, type Row } from '../../figures.js';
import { requestsPerSecond, type Load } from '../../load.js';
import { findPgbench } from '../../programs.js';
import type { TestDatabase } from '../../../support/galley/database.js';
import type { Installation, Harness } from '../../harness.js';

const SIZES = [
  { bytes: 1_000, label: '1 KB', count: 50, quick: true },
  { bytes: 28_000, label: '28 KB', count: 50, quick: false },
  // The load generator keeps a copy of each document for each connection.
  { bytes: 200_000, label: '200 KB', count: 10, quick: false },
];

/** Rows 1 and 2: creating a template, compared with bare Fastify and with PostgreSQL alone. */
export async function* createRows(harness: Harness): AsyncGenerator<Row | SkippedRow> {
  const pgbench = await findPgbench();
  for (const { bytes, label, count, quick } of SIZES) {
    if (harness.scale.quick && !quick) continue;
    const contents = emailDocuments(bytes, count);
    const galley = await harness.install();
    const bare = await installBare(harness);
    const alone = await bareDatabase(harness);
    const { rounds, seconds } = harness.scale;
    const figures = await interleave(rounds, {
      galley: () => requestsPerSecond(createLoad(galley, contents), seconds),
      bare: () => requestsPerSecond(createBareLoad(bare, contents), seconds),
      pgbench: () =>
        pgbench === undefined
          ? Promise.resolve(NaN)
          : transactionsPerSecond(pgbench, alone, JSON.stringify(contents[0]), seconds),
    });
    await Promise.all([galley.stop(), bare.stop(), alone.drop()]);
    yield {
      number: `1 (${label})`,
      what: 'create a template',
      baseline: 'bare Fastify + node-postgres, five statements',
      unit: 'requests/s',
      ...compare(figures.galley, figures.bare),
      target: { atLeast: 1 },
    };
    if (pgbench === undefined) {
      yield { number: `2 (${label})`, skipReason: 'pgbench is not on this machine' };
      continue;
    }
    yield {
      number: `2 (${label})`,
      what: 'create a template',
      baseline: 'pgbench, the same five statements',
      unit: 'requests/s',
      ...compare(figures.galley, figures.pgbench),
      target: { atLeast: 0.5 },
    };
  }
}

/** Row 9: the cost of the outbox and the wake-up. */
export async function* outboxRow(harness: Harness): AsyncGenerator<Row> {
  const contents = emailDocuments(1_000, 50);
  const [withOutbox, without] = [
    await harness.install(),
    await harness.install({ api: 'test/bench/baselines/api-without-outbox.js' }),
  ];
  // The two sides differ little, so the full form measures them for twice as long as other rows.
  const seconds = harness.scale.quick ? harness.scale.seconds : 2 * harness.scale.seconds;
  const figures = await interleave(harness.scale.rounds, {
    with: () => requestsPerSecond(createLoad(withOutbox, contents), seconds),
    without: () => requestsPerSecond(createLoad(without, contents), seconds),
  });
  if ((await without.database.count('outbox')) > 0) throw new Error('The outbox was not off.');
  await Promise.all([withOutbox.stop(), without.stop()]);
  yield {
    number: '9',
    what: 'create a template, with the outbox',
    baseline: 'without outbox and wake-up',
    unit: 'requests/s',
    ...compare(figures.with, figures.without),
    target: { atLeast: 0.9 },
  };
}

/** Creates templates with these documents, one after the other. */
export const createLoad = (
  { url, token, workspaceId }: Pick<Installation, 'url' | 'token' | 'workspaceId'>,
  contents: readonly object[],
): Load => ({
  url: `${url}/api/templates`,
  method: 'POST',
  rotation: bodiesOf(workspaceId, contents).map((body) => ({ token, body })),
});

export const createBareLoad = (
  { url, workspaceId }: { url: string; workspaceId: string },
  contents: readonly object[],
): Load => ({
  url: `${url}/templates`,
  method: 'POST',
  rotation: bodiesOf(workspaceId, contents).map((body) => ({ body })),
});

const bodiesOf = (workspaceId: string, contents: readonly object[]) =>
  contents.map((content) => JSON.stringify({ name: 'Welcome', workspaceId, content }));

interface BareDatabase extends TestDatabase {
  workspaceId: string;
  userId: string;
}

async function bareDatabase(harness: Harness): Promise<BareDatabase> {
  const database = await harness.database();
  const [row] = await database.query<{ workspaceId: string; userId: string }>(
    `WITH workspace AS (INSERT INTO workspaces (id, name) VALUES (uuidv7(), 'Bench') RETURNING id),
       owner AS (INSERT INTO users (id, issuer, subject) VALUES (uuidv7(), 'bench', 'bench') RETURNING id)
     SELECT workspace.id AS "workspaceId", owner.id AS "userId" FROM workspace, owner`,
  );
  const { workspaceId = '', userId = '' } = row ?? {};
  return { ...database, workspaceId, userId };
}

export async function installBare(harness: Harness) {
  const database = await bareDatabase(harness);
  const child = await Child.start('test/bench/baselines/http.js', {
    DATABASE_URL: database.url,
    USER_ID: database.userId,
  });
  return {
    url: child.url,
    program: child,
    database,
    create: async (content: object): Promise<string> => {
      const response = await fetch(`${child.url}/templates`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Welcome', workspaceId: database.workspaceId, content }),
      });
      return ((await response.json()) as { id: string }).id;
    },
    workspaceId: database.workspaceId,
    stop: async () => {
      await child.stop();
      await database.drop();
    },
  };
}

// Linux limits a command-line argument to 128 KiB. So pgbench gets the content in chunks.
const CHUNK = 100_000;

/**
 * Runs the five statements of the bare baseline with pgbench, PostgreSQL's own load generator. The
 * statements are prepared. pgbench has 32 clients, as many as the load generator has connections.
 */
async function transactionsPerSecond(
  pgbench: string,
  { url, workspaceId, userId }: BareDatabase,
  content: string,
  seconds: number,
): Promise<number> {
  const chunks = content.match(new RegExp(`.{1,${CHUNK}}`, 'gs')) ?? [];
  const directory = await mkdtemp(join(tmpdir(), 'galley-pgbench-'));
  const script = join(directory, 'create.sql');
  await writeFile(
    script,
    `BEGIN;
INSERT INTO documents (id, kind, workspace_id, name, events, created_at, updated_at) VALUES (uuidv7(), 'template', '${workspaceId}', 'Welcome', 1, now(), now()) RETURNING id AS id \\gset
INSERT INTO document_versions (document_id, kind, version, name, content, content_bytes, created_by, created_at) VALUES (:id, 'template', 1, 'Welcome', (${chunks.map((_, at) => `:content${at}::text`).join(' || ')})::json, 0, '${userId}', now());
INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data) VALUES (uuidv7(), 'template.created', '${workspaceId}', :id, 1, json_build_object('id', :id::uuid, 'name', 'Welcome', 'workspaceId', '${workspaceId}', 'version', 1));
COMMIT;
`,
  );
  const { stdout } = await promisify(execFile)(
    pgbench,
    [
      '--no-vacuum',
      '--protocol=prepared',
      '--client=32',
      '--jobs=2',
      `--time=${Math.ceil(seconds)}`,
      `--file=${script}`,
      ...chunks.flatMap((chunk, at) => ['-D', `content${at}=${chunk}`]),
      url,
    ],
    { env: { PATH: process.env['PATH'], LC_ALL: 'C' } },
  );
  await rm(directory, { recursive: true });
  const [, rate] = /tps = ([\d.]+)/.exec(stdout) ?? [];
  return Number(rate);
}
