import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentStore } from '#documents';
import { UsageUpdateJob } from '#documents';
import type { Client } from '../../support/api/client.js';
import { refer } from '../../support/api/references.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';
import { startProgram } from '../../support/processes/galley-programs.js';

interface Template {
  id: string;
  name: string;
  version: number;
  content: object;
}
interface UsageUpdate {
  id: string;
  status: string;
  total: number;
  done: number;
  failed: number;
  failures: { templateId: string; message: string }[];
}

// The tests do the steps themselves. So they see the state between two steps.
let galley: Galley;
let job: UsageUpdateJob;
let ada: Client;
let grace: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley();
  job = new UsageUpdateJob(galley.api.get(DocumentStore, { strict: false }));
  ada = await galley.clientFor('ada');
  grace = await galley.clientFor('grace');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});
afterAll(() => galley.stop());

async function createModule(versions = 3): Promise<string> {
  const fields = { name: 'Module', workspaceId, content: { type: 'text', text: '1' } };
  const id = await createResource(ada, '/api/modules', fields);
  for (let version = 2; version <= versions; version++) {
    await ada.put(`/api/modules/${id}`, { content: { type: 'text', text: String(version) } });
  }
  return id;
}
const createTemplate = (blocks: object[], client = ada, workspace = workspaceId) =>
  createResource(client, '/api/templates', {
    name: 'Template',
    workspaceId: workspace,
    content: { blocks },
  });
const getTemplate = async (id: string) => (await ada.get<Template>(`/api/templates/${id}`)).body;
const start = (moduleId: string, body: object) =>
  ada.post<UsageUpdate & { count: number; message: string }>(
    `/api/modules/${moduleId}/update-usages`,
    body,
  );
const latestUpdate = async (moduleId: string) =>
  (await ada.get<{ data: UsageUpdate[] }>(`/api/modules/${moduleId}/usage-updates`)).body.data[0];

/** Does all steps of the running updates. */
async function finish(): Promise<void> {
  await eventually('all updates to be done', async () => (await job.step()) === null);
}

/** Creates up to 1,000 templates that pin version 1 of a module. */
async function createTemplates(moduleId: string, count: number): Promise<void> {
  const create = { action: 'create', name: 'A', content: { blocks: [refer(moduleId, 1)] } };
  const operations = Array.from({ length: count }, () => create);
  const { status } = await ada.post('/api/templates/batch', { workspaceId, operations });
  expect(status).toBe(200);
}

describe('an update of usages', () => {
  it('moves the pins of all templates, after a dry run', async () => {
    const id = await createModule();
    const other = await createModule();
    const blocks = [refer(id, 1), refer(id), refer(other, 1), refer(id, 2), { type: 'text' }];
    const pinning = await createTemplate(blocks);
    const following = await createTemplate([refer(id)]);
    const current = await createTemplate([refer(id, 3)]);

    const dryRun = await start(id, { toVersion: 3, all: true, dryRun: true });
    expect([dryRun.status, dryRun.body]).toEqual([200, { count: 1 }]);
    const { status, body } = await start(id, { toVersion: 3, all: true });
    expect([status, body]).toMatchObject([202, { status: 'running', total: 1, done: 0 }]);
    await finish();

    expect(await getTemplate(pinning)).toMatchObject({
      name: 'Template',
      version: 2,
      content: {
        blocks: [refer(id, 3), refer(id), refer(other, 1), refer(id, 3), { type: 'text' }],
      },
    });
    expect((await getTemplate(following)).version).toBe(1);
    expect((await getTemplate(current)).version).toBe(1);
    expect(await latestUpdate(id)).toMatchObject({ id: body.id, status: 'done', done: 1 });
    const events = await galley.database.query(
      `SELECT sequence::integer, data->>'version' AS version FROM outbox
       WHERE resource_id = $1 ORDER BY sequence`,
      [pinning],
    );
    expect(events).toEqual([
      { sequence: 1, version: '1' },
      { sequence: 2, version: '2' },
    ]);
    const { body: usages } = await ada.get<{ data: { id: string; pinnedVersion: number }[] }>(
      `/api/modules/${id}/usages`,
    );
    expect(
      usages.data.filter((usage) => usage.id === pinning).map((usage) => usage.pinnedVersion),
    ).toEqual([null, 3]);
  });

  it('changes only the given templates, and moves pins back as well', async () => {
    const id = await createModule();
    const [first, second] = [
      await createTemplate([refer(id, 3)]),
      await createTemplate([refer(id, 3)]),
    ];
    const unrelated = await createTemplate([]);
    const { body } = await start(id, { toVersion: 2, templateIds: [second, second, unrelated] });
    expect(body.total).toBe(1);
    await finish();
    expect((await getTemplate(first)).version).toBe(1);
    expect((await getTemplate(second)).content).toEqual({ blocks: [refer(id, 2)] });
    expect((await getTemplate(unrelated)).version).toBe(1);
  });

  it('changes only templates that the user may edit, at the time of each step', async () => {
    const id = await createModule();
    const graces = (await galley.createWorkspaceFor('grace')).id;
    const adas = (await galley.createWorkspaceFor('ada')).id;
    const me = (await grace.get<{ user: { id: string } }>('/api/auth/me')).body.user.id;
    await ada.post(`/api/workspaces/${workspaceId}/members`, { userId: me, role: 'viewer' });
    const hers = await createTemplate([refer(id, 1)], grace, graces);
    const elsewhere = await createTemplate([refer(id, 1)], ada, adas);
    const removed = await createTemplate([refer(id, 1)]);

    expect((await start(id, { toVersion: 2, all: true })).body.total).toBe(2);
    await ada.delete(`/api/templates/${removed}`);
    await finish();
    expect((await getTemplate(elsewhere)).version).toBe(2);
    expect((await grace.get<Template>(`/api/templates/${hers}`)).body.version).toBe(1);
    expect(await latestUpdate(id)).toMatchObject({ status: 'done', total: 2, done: 1, failed: 0 });
  });

  it('says which templates it could not change, and why', async () => {
    const id = await createModule();
    const deleted = await createModule(1);
    const broken = await createTemplate([refer(deleted), refer(id, 1)]);
    const fine = await createTemplate([refer(id, 1)]);
    await ada.delete(`/api/modules/${deleted}?force=true`);
    await start(id, { toVersion: 2, all: true });
    await finish();
    expect(await latestUpdate(id)).toMatchObject({
      status: 'done',
      done: 1,
      failed: 1,
      failures: [
        { templateId: broken, message: expect.stringContaining('content.blocks.0 refers to') },
      ],
    });
    expect((await getTemplate(broken)).version).toBe(1);
    expect((await getTemplate(fine)).version).toBe(2);
  });

  it('runs alone in its workspace, and can be cancelled between two steps', async () => {
    const id = await createModule();
    await createTemplates(id, 100);
    const { body } = await start(id, { toVersion: 2, all: true });
    const second = await start(await createModule(), { toVersion: 2, all: true });
    expect([second.status, second.body.message]).toEqual([
      409,
      expect.stringContaining('still running'),
    ]);
    await job.step();
    const { done = 0 } = (await latestUpdate(id)) ?? {};
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(100);

    const cancel = () => ada.post(`/api/modules/${id}/usage-updates/${body.id}/cancel`);
    expect((await cancel()).body).toMatchObject({ status: 'cancelled', done });
    expect((await cancel()).status).toBe(409);
    await finish();
    expect(
      await galley.database.count(`module_usages WHERE module_id = '${id}' AND pinned_version = 2`),
    ).toBe(done);
  });

  it('ends with its module', async () => {
    const id = await createModule();
    await createTemplates(id, 30);
    await start(id, { toVersion: 2, all: true });
    await Promise.all([job.step(), ada.delete(`/api/modules/${id}?force=true`)]);
    await finish();
    expect(await galley.database.count('module_usage_updates')).toBe(
      await galley.database.count("module_usage_updates WHERE status <> 'running'"),
    );
  });

  it.each([
    [{ all: true }, 'toVersion is missing.'],
    [{ toVersion: 1 }, 'Send either all: true or templateIds.'],
    [
      { toVersion: 1, all: true, templateIds: [crypto.randomUUID()] },
      'Send either all: true or templateIds.',
    ],
    [{ toVersion: 1, templateIds: ['a'] }, 'templateIds must be a list of 1 to 1000 ids.'],
    [{ toVersion: 4, all: true }, 'toVersion must be an existing version of the module'],
  ])('%j gets 400: %s', async (body, message) => {
    const { status, body: error } = await start(await createModule(), body);
    expect([status, error.message]).toEqual([400, message]);
  });
});

it('a killed worker changes no template twice, and leaves none out', async () => {
  const count = process.env['CHAOS'] === 'full' ? 10_000 : 400;
  const id = await createModule();
  for (let rest = count; rest > 0; rest -= 1_000) await createTemplates(id, Math.min(rest, 1_000));
  await start(id, { toVersion: 3, all: true });
  const startWorker = async () => (await startProgram('worker', galley.environment)).program;
  const workers = await Promise.all([startWorker(), startWorker()]);
  try {
    const done = async () => (await latestUpdate(id))?.done ?? 0;
    await eventually('some templates', async () => (await done()) > 40, { timeout: 30_000 });
    for (const worker of workers) worker.killGroup();
    expect(await done()).toBeLessThan(count);
    workers.push(await startWorker());
    await eventually('all templates', async () => (await done()) === count, { timeout: 120_000 });
  } finally {
    for (const worker of workers) worker.killGroup();
    await Promise.all(workers.map(({ exited }) => exited));
  }
  const versions = await galley.database.query(
    `SELECT template.version, count(*)::integer FROM module_usages
     JOIN documents template ON id = document_id
     WHERE module_id = $1 AND pinned_version = 3 GROUP BY 1`,
    [id],
  );
  expect(versions).toEqual([{ version: 2, count }]);
  expect((await latestUpdate(id))?.failed).toBe(0);
});
