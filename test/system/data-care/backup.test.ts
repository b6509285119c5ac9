import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadApiConfig, loadWorkerConfig } from '#config';
import { createApi } from '../../../apps/api/api.js';
import { createWorker } from '../../../apps/worker/worker.js';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { createDatabase, type TestDatabase } from '../../support/galley/database.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { canDump, runMaintenance, urlsOf } from '../../support/processes/maintenance.js';
import { Program } from '../../support/processes/program.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

let galley: Galley;
let folder: string;
let worker: NestFastifyApplication | undefined;
let restored: TestDatabase;
const receivers: Receiver[] = [];

beforeAll(async () => {
  galley = await startGalley();
  restored = await createDatabase('template0');
  folder = await mkdtemp(join(tmpdir(), 'galley-backup-'));
});
afterAll(async () => {
  await worker?.close();
  await galley.stop();
  await restored.drop();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await rm(folder, { recursive: true });
});

const runProgram = (
  name: 'backup' | 'restore',
  path: string,
  environment: Record<string, string> = {},
) => runMaintenance(name, [path], { ...galley.environment, ...environment });

async function startReceiver(): Promise<Receiver> {
  const receiver = await Receiver.start();
  receivers.push(receiver);
  return receiver;
}

const withPgDump = (await canDump()) ? it : it.skip;

interface FeedEvent {
  position: number;
  resourceId: string;
  sequence: number;
}

interface Versions {
  id: string;
  version: number;
  versions: number[];
  sequences: number[];
}

/** The numbers of the versions and of the events of each template. */
const readTemplates = (database: TestDatabase) =>
  database.query<Versions>(
    `SELECT id, version,
       ARRAY(SELECT version FROM document_versions WHERE document_id = template.id ORDER BY 1) AS versions,
       ARRAY(
         SELECT sequence FROM outbox WHERE resource_id = template.id
         UNION SELECT sequence FROM events WHERE resource_id = template.id ORDER BY 1
       ) AS sequences
     FROM documents template`,
  );

const numbersTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

withPgDump(
  'a backup under traffic has all that was committed before it, and its restore loses no event',
  async () => {
    const ada = await galley.clientFor('ada');
    const { id: workspaceId } = await galley.createWorkspaceFor('ada');
    const [receiver, slowReceiver] = [await startReceiver(), await startReceiver()];
    let isSlow = true;
    slowReceiver.reaction = async () => {
      await eventually('the restore', () => !isSlow);
      return 204;
    };
    await subscribe(ada, workspaceId, receiver);
    await subscribe(ada, workspaceId, slowReceiver);
    worker = await createWorker(loadWorkerConfig(galley.environment));
    await worker.init();

    // The versions that responses have shown, by template.
    const seen = new Map<string, number>();
    let isWriting = true;
    const write = async () => {
      const { body } = await ada.post<{ id: string }>('/api/templates', { name: 'A', workspaceId });
      seen.set(body.id, 1);
      for (let change = 2; isWriting; change++) {
        const path = `/api/templates/${body.id}`;
        const response = await ada.put<{ version: number }>(path, { content: { change } });
        seen.set(body.id, response.body.version);
      }
    };
    const writers = Promise.all([write(), write(), write()]);
    await eventually('a delivery in flight', () => slowReceiver.received.length > 0);
    await eventually('some changes', () => [...seen.values()].every((version) => version > 5));
    const seenBefore = new Map(seen);
    const path = join(folder, 'galley.backup');
    const backup = await runProgram('backup', path);
    const inFlight = slowReceiver.received.map(({ headers }) => headers['webhook-id']);
    const versionsAfter = new Map(seen);
    isWriting = false;
    await writers;
    expect(backup.output).toContain('The backup is complete.');
    expect(backup.code).toBe(0);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['galley.backup']);
    expect((await runProgram('backup', path)).output).toContain('already exists');
    const refused = await runProgram('restore', path);
    expect(refused.output).toMatch(/has \d+ tables already, and a restore never replaces data/);
    isSlow = false;
    await worker.close();

    const environment = {
      ...urlsOf(restored),
      QUEUE_PREFIX: `galley-${randomBytes(8).toString('hex')}`,
    };
    const restore = await runProgram('restore', path, environment);
    expect(restore.output).toContain('SECRETS_KEYS contains every key that the data needs.');
    expect(restore.code).toBe(0);
    const templates = await readTemplates(restored);
    expect(templates.length).toBe(seen.size);
    for (const { id, version, versions, sequences } of templates) {
      expect(version).toBeGreaterThanOrEqual(seenBefore.get(id) ?? 0);
      expect(version).toBeLessThanOrEqual((versionsAfter.get(id) ?? 0) + 1);
      expect(versions).toEqual(numbersTo(version));
      expect(sequences).toEqual(numbersTo(version));
    }
    const [pending] = await restored.query<{ ids: string[] }>(
      'SELECT ARRAY(SELECT event_id FROM webhook_deliveries UNION SELECT id FROM outbox) AS ids',
    );
    expect(pending?.ids).toContain(inFlight[0]);

    // The first API and worker of the restored database.
    const before = new Map([receiver, slowReceiver].map((each) => [each, each.received.length]));
    worker = await createWorker(loadWorkerConfig({ ...galley.environment, ...environment }));
    await worker.init();
    await eventually(
      'all events to be delivered',
      async () =>
        (await restored.count('outbox')) === 0 &&
        (await restored.count('webhook_deliveries')) === 0,
    );
    const events = await restored.query<{ id: string; position: string }>(
      'SELECT id, position FROM events ORDER BY position',
    );
    for (const each of [receiver, slowReceiver]) {
      const ids = each.received.map(({ headers }) => headers['webhook-id']);
      expect(events.filter(({ id }) => !ids.includes(id))).toEqual([]);
    }
    const sentAgain = slowReceiver.received.slice(before.get(slowReceiver));
    expect(sentAgain.map(({ headers }) => headers['webhook-id'])).toContain(inFlight[0]);
    expect(await restored.count(`webhook_delivery_log WHERE status <> 'delivered'`)).toBe(0);

    const api = await createApi(loadApiConfig({ ...galley.environment, ...environment }));
    try {
      await api.listen(0, '127.0.0.1');
      const client = new Client(await api.getUrl(), await galley.issuer.token('ada'));
      const [{ id, version }] = templates as [Versions];
      const changed = await client.put<{ version: number }>(`/api/templates/${id}`, { name: 'B' });
      expect(changed.body.version).toBe(version + 1);
      // A client that has read events that the backup lacks notices a gap, and misses no new event.
      const lastSeen = (await galley.database.count('events')) + 1_000;
      const next = await eventually('the event', async () => {
        const path = `/api/events?workspaceId=${workspaceId}&after=${lastSeen}`;
        const { body } = await client.get<{ data: FeedEvent[] }>(path);
        // The restored outbox may have had other events of the template.
        return body.data.find(
          ({ resourceId, sequence }) => resourceId === id && sequence === version + 1,
        );
      });
      expect(next.position).toBeGreaterThan(1_000_000_000);
    } finally {
      await api.close();
    }
  },
);

withPgDump('a restore says that SECRETS_KEYS lacks the key of the backup', async () => {
  const database = await createDatabase('template0');
  try {
    const { code, output } = await runProgram('restore', join(folder, 'galley.backup'), {
      ...urlsOf(database),
      SECRETS_KEYS: randomBytes(32).toString('base64'),
    });
    expect(code).toBe(1);
    expect(output).toContain(
      'The data is restored: do not restore it again. Solve this problem before you start the API and the worker: SECRETS_KEYS lacks the key that encrypts new data: add that key, and put it first, unless you want the first key of the list to replace it. The id of the key is ',
    );
  } finally {
    await database.drop();
  }
});

it('a missing or old client program is named with its package', async () => {
  const bin = await mkdtemp(join(tmpdir(), 'galley-bin-'));
  const path = join(folder, 'never.backup');
  const missing = await runProgram('backup', path, { PATH: bin });
  expect(missing.output).toMatch(
    /^pg_dump is not installed, .* Install .* postgresql-client-\d+\)/,
  );
  await writeFile(join(bin, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6.24"\n');
  await chmod(join(bin, 'pg_dump'), 0o755);
  const old = await runProgram('backup', path, { PATH: bin });
  expect(old.output).toMatch(/^pg_dump is version 9, and the database is PostgreSQL \d+\./);
  expect([missing.code, old.code]).toEqual([1, 1]);
  await rm(bin, { recursive: true });
});

/** A folder with a pg_dump that writes more than a pipe holds, and never ends. */
async function createEndlessPgDump(): Promise<string> {
  const bin = await mkdtemp(join(tmpdir(), 'galley-bin-'));
  const script =
    '#!/bin/sh\ncase "$1" in --version) echo 99;; *) while :; do echo data; done 2>/dev/null;; esac\n';
  await writeFile(join(bin, 'pg_dump'), script);
  await chmod(join(bin, 'pg_dump'), 0o755);
  return bin;
}

it('a backup ends if its file cannot be written, and takes one file', async () => {
  // pg_dump would wait forever for a reader.
  const bin = await createEndlessPgDump();
  const unwritable = await runProgram('backup', join(folder, 'nowhere', 'a.backup'), { PATH: bin });
  expect(unwritable).toEqual({
    code: 1,
    output: expect.stringMatching(/^The file cannot be written: ENOENT/),
  });
  const two = await runMaintenance('backup', ['a', 'b'], galley.environment);
  expect(two).toEqual({ code: 1, output: expect.stringContaining('npm run backup -- FILE') });
  await rm(bin, { recursive: true });
});

it.each([
  ['is full', '>/dev/full', /^The backup cannot be written: .*ENOSPC.*\nexit code 1\n$/],
  [
    'is closed',
    '| head -c 1000 >/dev/null',
    /^The backup cannot be written: .*EPIPE.*\nexit code 1\n$/,
  ],
])('a backup ends with a sentence if its output %s', async (_title, target, output) => {
  const bin = await createEndlessPgDump();
  const backup = `"${process.execPath}" dist/apps/maintenance/backup.js -`;
  const script = `{ ${backup}; echo "exit code $?" >&2; } ${target}`;
  const environment = { ...galley.environment, PATH: `${bin}:${process.env['PATH']}` };
  const program = new Program('/bin/sh', ['-c', script], environment);
  await program.waitForExit();
  await eventually('all of the output', () => program.output.includes('exit code'));
  expect(program.output).toMatch(output);
  await rm(bin, { recursive: true });
});

it('the password is not on the command line', async () => {
  const bin = await mkdtemp(join(tmpdir(), 'galley-bin-'));
  const script =
    '#!/bin/sh\ncase "$1" in --version) echo 99;; *) echo "$@ PGPASSWORD=$PGPASSWORD";; esac\n';
  await writeFile(join(bin, 'pg_dump'), script);
  await chmod(join(bin, 'pg_dump'), 0o755);
  // A server that trusts all clients accepts any password.
  const url = new URL(galley.database.url);
  if (url.password === '') url.password = 's%40same';
  const password = decodeURIComponent(url.password);
  const { output } = await runProgram('backup', '-', { PATH: bin, ...urlsOf({ url: url.href }) });
  expect(output).toContain(`PGPASSWORD=${password}\n`);
  expect(output).toMatch(/--dbname=postgres(ql)?:\/\/[^:]*@/);
  await rm(bin, { recursive: true });
});
