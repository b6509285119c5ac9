import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { createResource } from '../../support/galley/resources.js';
import { verify } from '../../support/webhooks/subscriptions.js';
import {
  ada,
  endpoint,
  galley,
  receiver,
  useSubscribedWorkspace,
  workspace,
} from '../../support/webhooks/subscribed-workspace.js';

interface Publication {
  id: string;
  environment: string;
  status: string;
  version: number | null;
  note: string;
  at: string;
  createdBy: string;
}
interface Publications {
  data: Publication[];
  nextCursor: string | null;
}
interface Published {
  id: string;
  name: string;
  environment: string;
  version: number;
  publishedAt: string;
  content: object;
}

useSubscribedWorkspace(['template.published', 'template.unpublished']);

let path: string;
beforeEach(async () => {
  const body = { name: 'A', workspaceId: workspace.id, content: { a: 1 } };
  path = `/api/templates/${await createResource(ada, '/api/templates', body)}`;
  await ada.put(path, { name: 'B', content: { b: 2 } });
  await ada.post(`/api/workspaces/${workspace.id}/environments`, { name: 'staging' });
});

const publish = (version: number, body: object = {}) =>
  ada.post<Publication>(`${path}/publish`, { version, ...body });
const read = (query = '', client: Client = ada) =>
  client.get<Published>(`${path}/published${query}`);
const history = async (query = '') =>
  (await ada.get<Publications>(`${path}/publications${query}`)).body;
const events = () => receiver.received.map((notification) => verify(endpoint.secret, notification));

describe('a version of a template', () => {
  it('is published, replaced and unpublished in one environment', async () => {
    expect((await read()).status).toBe(404);
    const { status, body } = await publish(1, { note: 'First' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      environment: 'production',
      status: 'published',
      version: 1,
      note: 'First',
    });
    const { body: published } = await read();
    expect(published).toMatchObject({ name: 'A', version: 1, content: { a: 1 } });
    expect(published.publishedAt).toBe(body.at);
    expect((await read('?environment=staging')).status).toBe(404);

    await publish(2);
    expect((await read('?environment=production')).body).toMatchObject({
      name: 'B',
      version: 2,
      content: { b: 2 },
    });
    const unpublished = await ada.post<Publication>(`${path}/unpublish`, { note: 'Wrong price' });
    expect(unpublished.body).toMatchObject({ status: 'unpublished', version: null });
    expect((await read()).status).toBe(404);
    expect((await ada.post(`${path}/unpublish`)).status).toBe(404);
    expect((await history()).data.map(({ version, note }) => [version, note])).toEqual([
      [null, 'Wrong price'],
      [2, ''],
      [1, 'First'],
    ]);
  });

  it('is announced by events that count in the sequence of the template', async () => {
    await publish(1);
    await publish(2, { environment: 'staging' });
    await ada.post(`${path}/unpublish`);
    await eventually('three notifications', () => receiver.received.length === 3);
    const data = { id: path.split('/').at(-1), workspaceId: workspace.id };
    const received = new Map(
      receiver.received.map(({ headers }, index) => [
        Number(headers['x-service-sequence']),
        events()[index],
      ]),
    );
    // Sequence numbers 1 and 2 are the creation and the update.
    expect([...received].sort(([a], [b]) => a - b)).toMatchObject([
      [3, { event: 'template.published', data: { ...data, name: 'A', version: 1 } }],
      [4, { event: 'template.published', data: { ...data, name: 'B', version: 2 } }],
      [5, { event: 'template.unpublished', data: { ...data, name: 'A', version: 1 } }],
    ]);
    expect([...received.values()].map((event) => Object.keys(event?.data ?? {}).sort())).toEqual(
      Array(3).fill(['environment', 'externalId', 'id', 'name', 'version', 'workspaceId']),
    );
    await ada.put(path, { name: 'C' });
    await ada.delete(path);
    const sequences = await eventually('the last events', async () => {
      const { body } = await ada.get<{ data: { event: string; sequence: number }[] }>(
        `/api/events?workspaceId=${workspace.id}`,
      );
      return body.data.length === 7 && body.data.map(({ sequence }) => sequence);
    });
    expect(sequences).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('stays published when the template is updated or restored', async () => {
    await publish(1);
    const before = await read();
    await ada.put(path, { name: 'C' });
    await ada.post(`${path}/versions/2/restore`);
    expect((await read()).body).toEqual(before.body);
    expect((await read()).headers.get('etag')).toBe(before.headers.get('etag'));
    expect((await history()).data).toHaveLength(1);
  });

  it('is published once: the second request changes nothing', async () => {
    const first = await publish(1, { note: 'First' });
    expect((await publish(1, { note: 'Second' })).body).toEqual(first.body);
    expect((await history()).data).toHaveLength(1);
    expect(
      await galley.database.count(`events WHERE kind = 'template.published'
      AND workspace_id = '${workspace.id}'`),
    ).toBeLessThanOrEqual(1);
  });

  it('does not change the template', async () => {
    const before = await ada.get(path);
    await publish(1);
    const after = await ada.get(path);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
  });

  it.each([
    [404, { version: 9 }],
    [404, { version: 1, environment: 'unknown' }],
    [404, { version: 1, environment: 'Not A Name' }],
    [400, { version: 0 }],
    [400, { version: '1' }],
    [400, {}],
    [400, { version: 1, environment: 7 }],
    [400, { version: 1, note: 'a'.repeat(2001) }],
    [400, { version: 1, at: '2020-01-01T00:00:00Z' }],
    [400, { version: 1, at: 'tomorrow' }],
    [400, { version: 1, template: 1 }],
  ])('is refused with %i: case %#', async (status, body) => {
    expect((await ada.post(`${path}/publish`, body)).status).toBe(status);
    expect((await history()).data).toEqual([]);
  });
});

describe('the published read', () => {
  it('has a strong ETag that changes only with the pointer', async () => {
    await publish(1);
    const first = await read();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w]+"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const revalidate = () => ada.with({ 'if-none-match': etag }).get(`${path}/published`);
    const second = await revalidate();
    expect([second.status, second.text]).toEqual([304, '']);
    await publish(2);
    await publish(1);
    // The same document again, but another publication.
    expect((await revalidate()).status).toBe(200);
  });

  it('gets later tags even if the clock is set back', async () => {
    await publish(1);
    const future = new Date(Date.now() + 3_600_000);
    await galley.database.query(`UPDATE template_publications SET at = $2 WHERE template_id = $1`, [
      path.split('/').at(-1),
      future,
    ]);
    const { body } = await publish(2);
    expect(new Date(body.at).getTime()).toBe(future.getTime() + 1);
  });

  it('shows the modules of the time when the version was made', async () => {
    const module = { name: 'M', workspaceId: workspace.id, content: { type: 'text', text: 'old' } };
    const moduleId = await createResource(ada, '/api/modules', module);
    await ada.put(path, { content: { blocks: [{ type: 'module', moduleId }] } });
    await ada.put(`/api/modules/${moduleId}`, { content: { type: 'text', text: 'new' } });
    await publish(3);
    const version = await ada.get<Published>(`${path}/versions/3?expand=modules`);
    const expanded = await read('?expand=modules');
    expect(expanded.body).toMatchObject({ warnings: [] });
    expect(expanded.body.content).toEqual(version.body.content);
    expect(JSON.stringify(expanded.body.content)).toContain('old');
    expect(JSON.stringify((await read()).body.content)).not.toContain('old');
    const etag = expanded.headers.get('etag');
    expect((await read('?expand=modules')).headers.get('etag')).toBe(etag);
    await ada.delete(`/api/modules/${moduleId}?force=true`);
    const broken = await read('?expand=modules');
    expect(broken.body).toMatchObject({ warnings: [{ problem: 'not_found' }] });
    expect(broken.headers.get('etag')).not.toBe(etag);
  });

  it('is gone with the template', async () => {
    await publish(1);
    await ada.delete(path);
    expect((await read()).status).toBe(404);
  });
});

it('the history has pages, also for one environment', async () => {
  for (const version of [1, 2, 1]) {
    await publish(version);
    await publish(version, { environment: 'staging' });
  }
  const all = await history();
  expect(all.data).toHaveLength(6);
  const paged: Publication[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Publications = await history(`?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(page.data.length).toBeLessThanOrEqual(2);
    paged.push(...page.data);
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(all.data);
  const staging = await history('?environment=staging&limit=2');
  expect(staging.data.map(({ environment }) => environment)).toEqual(['staging', 'staging']);
  const rest = await history(`?environment=staging&limit=2&cursor=${staging.nextCursor}`);
  expect(rest).toMatchObject({ data: [{ version: 1 }], nextCursor: null });
  expect((await ada.get(`${path}/publications?cursor=${staging.nextCursor}`)).status).toBe(400);
});

it('a repeated request with an idempotency key gets the first response', async () => {
  const client = ada.with({ 'idempotency-key': 'once' });
  const body = { version: 1, at: '2099-01-01T00:00:00Z' };
  const first = await client.post<Publication>(`${path}/publish`, body);
  const second = await client.post<Publication>(`${path}/publish`, body);
  expect(second.text).toBe(first.text);
  expect((await ada.get<Publications>(`${path}/publications/scheduled`)).body.data).toHaveLength(1);
});
