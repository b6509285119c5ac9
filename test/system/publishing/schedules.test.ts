import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, UnitOfWork } from '#database';
import { PublishingJob } from '#publishing';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResource } from '../../support/galley/resources.js';

interface Publication {
  id: string;
  status: string;
  version: number | null;
  at: string;
  createdAt: string;
}
interface Publications {
  data: Publication[];
  nextCursor: string | null;
}

const LATER = '2099-01-01T00:00:00Z';

let galley: Galley;
let ada: Client;
let workspaceId: string;
let path: string;
/** Makes publications as a worker does. No worker runs, so that the tests decide when. */
let job: PublishingJob;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.clientFor('ada');
  job = new PublishingJob(galley.api.get(Database), galley.api.get(UnitOfWork));
});
afterAll(() => galley.stop());
beforeEach(async () => {
  await galley.database.query('DELETE FROM scheduled_publications');
  await galley.database.query('DELETE FROM publication_turns');
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  path = await createTemplate(workspaceId);
});

/** A template with two versions. */
async function createTemplate(workspaceId: string): Promise<string> {
  const id = await createResource(ada, '/api/templates', { name: 'A', workspaceId });
  await ada.put(`/api/templates/${id}`, { name: 'B' });
  return `/api/templates/${id}`;
}

const schedule = (version: number, at = LATER, template = path) =>
  ada.post<Publication>(`${template}/publish`, { version, at, note: 'Later' });
const scheduled = async (of = path) =>
  (await ada.get<Publications>(`${of}/publications/scheduled`)).body.data;
const history = async (of = path) => (await ada.get<Publications>(`${of}/publications`)).body.data;
const publishedVersion = async (template = path) =>
  (await ada.get<{ version?: number }>(`${template}/published`)).body.version;
const countEvents = () =>
  galley.database.count(
    `outbox WHERE kind = 'template.published' AND workspace_id = '${workspaceId}'`,
  );

/** Moves the times of what is scheduled, as if the clock had moved. */
async function letTimePass(): Promise<void> {
  await galley.database.query(`UPDATE scheduled_publications SET at = at - interval '100 years'`);
  await galley.database.query(
    `UPDATE publication_turns SET next_at = next_at - interval '100 years'`,
  );
}

async function publishAllDue(): Promise<void> {
  while ((await job.step()) === 0);
}

describe('a scheduled publication', () => {
  it('waits for its time and is then made once', async () => {
    const { status, body } = await schedule(1);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'scheduled', version: 1, at: '2099-01-01T00:00:00.000Z' });
    expect(await scheduled()).toEqual([body]);
    expect(await scheduled(`/api/workspaces/${workspaceId}`)).toEqual([body]);
    await publishAllDue();
    expect(await publishedVersion()).toBeUndefined();
    expect(await countEvents()).toBe(0);

    await letTimePass();
    await Promise.all([job.step(), job.step(), job.step()]);
    await publishAllDue();
    expect(await publishedVersion()).toBe(1);
    expect(await scheduled()).toEqual([]);
    expect(await history()).toMatchObject([
      { id: body.id, status: 'published', note: 'Later', createdAt: body.createdAt },
    ]);
    expect(await countEvents()).toBe(1);
    expect(await job.step()).toBeNull();
  });

  it('waits for its time, although another publication of its template is due', async () => {
    await schedule(1, '2099-01-01T00:00:01Z');
    await schedule(2, '2099-01-01T00:00:02Z');
    // A second ago, and in half an hour.
    await galley.database.query(
      `UPDATE scheduled_publications SET at = now()
         + CASE version WHEN 1 THEN interval '-1 second' ELSE interval '30 minutes' END`,
    );
    await galley.database.query('UPDATE publication_turns SET next_at = now()');
    expect(await job.step()).toBe(0);
    expect(await publishedVersion()).toBe(1);
    expect(await scheduled()).toMatchObject([{ version: 2 }]);
    // The next step is due at that time, and neither earlier nor later.
    const dueInMs = await job.step();
    expect(Math.abs((dueInMs ?? 0) - 30 * 60_000)).toBeLessThan(60_000);
    expect(await publishedVersion()).toBe(1);
    expect(await history()).toHaveLength(1);
  });

  it('is refused for a time that has just passed', async () => {
    const { status } = await schedule(1, new Date(Date.now() - 1_000).toISOString());
    expect([status, await scheduled()]).toEqual([400, []]);
  });

  it('waits for its time, whatever else is scheduled before or after it', async () => {
    const soon = new Date(Date.now() + 600_000).toISOString();
    const later = new Date(Date.now() + 1_200_000).toISOString();
    for (const at of [later, soon, later]) {
      await schedule(1, at);
      await publishAllDue();
    }
    const dueInMs = await job.step();
    expect(Math.abs((dueInMs ?? 0) - 600_000)).toBeLessThan(60_000);
    expect(await scheduled()).toHaveLength(3);
  });

  it('is made by a running worker, although the template was updated', async () => {
    const withWorker = await startGalley({ worker: true });
    const client = await withWorker.clientFor('ada');
    const { id } = await withWorker.createWorkspaceFor('ada');
    const body = { name: 'A', workspaceId: id };
    const template = `/api/templates/${await createResource(client, '/api/templates', body)}`;
    const at = new Date(Date.now() + 1_500).toISOString();
    expect((await client.post(`${template}/publish`, { version: 1, at })).status).toBe(200);
    await client.put(template, { name: 'B' });
    const published = await eventually('the publication', async () => {
      const response = await client.get<{ version: number; publishedAt: string }>(
        `${template}/published`,
      );
      return response.status === 200 && response.body;
    });
    expect(published.version).toBe(1);
    expect(Date.parse(published.publishedAt)).toBeGreaterThanOrEqual(Date.parse(at));
    await withWorker.stop();
  });

  it('comes in the order of the times, however many there are', async () => {
    await schedule(2, '2099-01-01T00:00:02Z');
    await schedule(1, '2099-01-01T00:00:01Z');
    await schedule(1, '2099-01-01T00:00:03Z');
    await letTimePass();
    await publishAllDue();
    expect((await history()).map(({ version }) => version)).toEqual([1, 2, 1]);
    expect(await countEvents()).toBe(3);
  });

  it('is listed once, in pages in the order of the times', async () => {
    const times = ['01', '03', '02'].map((second) => `2099-01-01T00:00:${second}.000Z`);
    for (const at of times) await schedule(1, at);
    const list = `${path}/publications/scheduled?limit=1`;
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null && seen.length <= times.length;) {
      const { body }: { body: Publications } = await ada.get<Publications>(list + cursor);
      seen.push(...body.data.map(({ at }) => at));
      cursor = body.nextCursor && `&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual([...times].sort());
  });

  it('makes no event if the version is published already', async () => {
    await schedule(1);
    await ada.post(`${path}/publish`, { version: 1 });
    await letTimePass();
    await publishAllDue();
    expect(await scheduled()).toEqual([]);
    expect(await history()).toHaveLength(1);
    expect(await countEvents()).toBe(1);
  });

  it('can be cancelled until it is made', async () => {
    const { body: first } = await schedule(1);
    const cancel = (id: string, of = path) => ada.delete(`${of}/publications/scheduled/${id}`);
    expect((await cancel(first.id, await createTemplate(workspaceId))).status).toBe(404);
    expect((await cancel(first.id)).status).toBe(204);
    expect((await cancel(first.id)).status).toBe(404);
    const { body: second } = await schedule(1);
    await letTimePass();
    await publishAllDue();
    expect((await cancel(second.id)).status).toBe(404);
    expect(await history()).toHaveLength(1);
  });

  it('disappears with its template, and others are made', async () => {
    await schedule(1);
    const other = await createTemplate(workspaceId);
    await schedule(2, LATER, other);
    await ada.delete(path);
    await letTimePass();
    await publishAllDue();
    expect(await publishedVersion(other)).toBe(2);
    expect(await galley.database.count('scheduled_publications')).toBe(0);
  });

  it('disappears with its workspace', async () => {
    await schedule(1);
    expect((await ada.delete(`/api/workspaces/${workspaceId}?force=true`)).status).toBe(204);
    await letTimePass();
    expect(await job.step()).toBeNull();
  });

  it('is refused above the limit of a template', async () => {
    for (let count = 0; count < 100; count++) await schedule(1);
    const { status, text } = await schedule(1);
    expect([status, text]).toEqual([409, expect.stringContaining('100 scheduled publications')]);
    const page = await ada.get<Publications>(`${path}/publications/scheduled?limit=60`);
    const next = `&cursor=${page.body.nextCursor}`;
    const rest = await ada.get<Publications>(`${path}/publications/scheduled?limit=60${next}`);
    const ids = [...page.body.data, ...rest.body.data].map(({ id }) => id);
    expect(new Set(ids).size).toBe(100);
    expect(rest.body.nextCursor).toBeNull();
  });

  it('survives the loss of the connection in the middle of its transaction', async () => {
    await schedule(1);
    await letTimePass();
    const release = await galley.database.holdLock(
      'LOCK TABLE template_publications IN EXCLUSIVE MODE',
    );
    const step = job.step();
    const waiting = `pg_stat_activity WHERE application_name = 'galley api'
      AND datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually('the step to wait', async () => (await galley.database.count(waiting)) === 1);
    expect(await countEvents()).toBe(0);
    await galley.database.query(`SELECT pg_terminate_backend(pid) FROM ${waiting}`);
    await release();
    // The step itself is made again, or the next one does its work.
    await step.catch(() => undefined);
    await publishAllDue();
    expect(await history()).toHaveLength(1);
    expect(await countEvents()).toBe(1);
  });
});

describe('the turns of workspaces', () => {
  it('let one publication pass ten thousand of another workspace', async () => {
    await schedule(1);
    await galley.database.query(
      `INSERT INTO scheduled_publications (id, template_id, environment, workspace_id, version, note, at,
         created_by, created_at)
       SELECT gen_random_uuid(), template_id, environment, workspace_id, 1 + number % 2, '',
         at - interval '1 day', created_by, now()
       FROM scheduled_publications, generate_series(1, 10000) number`,
    );
    await galley.database.query(
      `UPDATE publication_turns SET next_at = next_at - interval '1 day'`,
    );
    const other = await createTemplate((await galley.createWorkspaceFor('ada')).id);
    await schedule(2, LATER, other);
    await letTimePass();
    await job.step();
    await job.step();
    expect(await publishedVersion(other)).toBe(2);
    expect(await galley.database.count('scheduled_publications')).toBeGreaterThan(9_900);
  });

  it('let other workspaces pass while a template is locked', async () => {
    await schedule(1);
    const other = await createTemplate((await galley.createWorkspaceFor('ada')).id);
    await schedule(2, LATER, other);
    await letTimePass();
    const release = await galley.database.holdLock(
      'SELECT FROM documents WHERE id = $1 FOR UPDATE',
      [path.split('/').at(-1)],
    );
    await job.step();
    await job.step();
    expect(await publishedVersion(other)).toBe(2);
    expect(await publishedVersion()).toBeUndefined();
    await release();
    await eventually('the locked template', async () => {
      await job.step();
      return (await publishedVersion()) === 1;
    });
  });

  it('put a workspace off whose step fails', async () => {
    await schedule(1);
    const other = await createTemplate((await galley.createWorkspaceFor('ada')).id);
    await schedule(2, LATER, other);
    await letTimePass();
    await galley.database.query(
      `ALTER TABLE template_pointers ADD CONSTRAINT broken CHECK (workspace_id <> '${workspaceId}')`,
    );
    await expect(publishAllDue()).rejects.toThrow('broken');
    await publishAllDue();
    expect(await publishedVersion(other)).toBe(2);
    await galley.database.query('ALTER TABLE template_pointers DROP CONSTRAINT broken');
    expect(await scheduled()).toHaveLength(1);
    await letTimePass();
    await publishAllDue();
    expect(await publishedVersion()).toBe(1);
  });
});
