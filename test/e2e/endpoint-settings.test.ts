import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CreatedWebhook, Workspace } from '#client';
import type { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { Sink } from '../support/sink.js';
import { subscribe, verify, verifyServiceSignature } from '../support/webhooks.js';

let galley: Galley;
let ada: Client;
let workspace: Workspace;
let sink: Sink;
let endpoint: CreatedWebhook;

beforeAll(async () => {
  galley = await startGalley({ worker: true });
  ada = await galley.as('ada');
});
afterAll(() => galley.stop());

beforeEach(async () => {
  workspace = await galley.workspaceOf('ada');
  sink = await Sink.start();
  endpoint = await subscribe(ada, workspace.id, sink, ['template.created']);
});
afterEach(() => sink.stop());

const path = (suffix = '') => `/api/webhooks/${endpoint.id}${suffix}`;
const change = () => ada.post('/api/templates', { name: 'Changed', workspaceId: workspace.id });

describe('a pattern of events', () => {
  const kindsAt = ({ received }: Sink) =>
    received.map(({ body }) => (JSON.parse(body) as { event: string }).event).toSorted();
  const add = (kind: string) =>
    galley.database.query(
      `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
       VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), 1, '{}')`,
      [kind, workspace.id],
    );

  it('matches all events that begin so, those that are added later included', async () => {
    const sinks = await Promise.all(Array.from({ length: 4 }, () => Sink.start()));
    const [all, templates, modules, some] = sinks as [Sink, Sink, Sink, Sink];
    const everything = await subscribe(ada, workspace.id, all, ['*']);
    await subscribe(ada, workspace.id, templates, ['template.*']);
    await subscribe(ada, workspace.id, modules, ['module.*', 'module.created']);
    await subscribe(ada, workspace.id, some, ['webhook.*', 'template.deleted']);
    expect(everything.events).toEqual(['*']);
    const kinds = ['template.created', 'template.published', 'module.created', 'webhook.active'];
    for (const kind of [...kinds, 'templates.odd', 'template.deleted']) await add(kind);
    await ada.post(path('/test'));
    const expected = [...kinds, 'template.deleted', 'templates.odd'].toSorted();
    await eventually('all to arrive', () => all.received.length >= expected.length);
    await eventually('the test', () => sink.received.length === 2);
    await eventually('the others', () => templates.received.length + some.received.length === 5);
    expect(kindsAt(all)).toEqual(expected);
    expect(kindsAt(templates)).toEqual([
      ...['template.created', 'template.deleted', 'template.published'],
    ]);
    expect(kindsAt(modules)).toEqual(['module.created']);
    expect(kindsAt(some)).toEqual(['template.deleted', 'webhook.active']);
    expect(kindsAt(sink)).toEqual(['template.created', 'webhook.test']);

    const filter = { since: '2026-01-01T00:00:00Z', events: ['template.*'], dryRun: true };
    await eventually('all to be recorded', async () => {
      const replay = await ada.post(`/api/webhooks/${everything.id}/replays`, filter);
      return (replay.body as { count: number }).count === 3;
    });
    await Promise.all(sinks.map((each) => each.stop()));
  });

  it('is kept as it was given, and is one of those there are', async () => {
    const { body } = await ada.put<{ events: string[] }>(path(), { events: ['module.*', '*'] });
    expect(body.events).toEqual(['module.*', '*']);
    for (const events of [['**'], ['template*'], ['*.created'], ['templ.*'], ['*', '*'], ['']]) {
      expect((await ada.put(path(), { events })).status).toBe(400);
    }
  });
});

describe('a secret', () => {
  it('is replaced with an overlap, in which both sign', async () => {
    const revealed = async () => (await ada.get<{ secret: string }>(path('/secret'))).body.secret;
    expect(await revealed()).toBe(endpoint.secret);
    const { body } = await ada.post<{ secret: string }>(path('/secret/rotate'), {
      overlapHours: 1,
    });
    expect(await revealed()).toBe(body.secret);
    await change();
    const [both] = await eventually('it', () => sink.received.length === 1 && sink.received);
    if (both === undefined) throw new Error('unreachable');
    for (const secret of [endpoint.secret, body.secret]) verify(secret, both);
    expect(both.headers['x-service-signature']).toMatch(/,v1=[\da-f]{64},v1=[\da-f]{64}$/);

    await ada.post(path('/secret/rotate'), { overlapHours: 0 });
    await galley.database.query(
      `UPDATE webhook_endpoints SET earlier_secrets =
         json_build_array(json_build_object('encrypted', encrypted_secret, 'until', now()))
       WHERE id = $1`,
      [endpoint.id],
    );
    await change();
    const [, last] = await eventually(
      'the next',
      () => sink.received.length === 2 && sink.received,
    );
    if (last === undefined) throw new Error('unreachable');
    expect(() => verify(body.secret, last)).toThrow();
    expect(verifyServiceSignature(await revealed(), last)).toBe(true);
  });

  it('is not replaced when too many would sign; without an overlap all earlier ones end', async () => {
    const rotate = (overlapHours: number) =>
      ada.post<{ message: string }>(path('/secret/rotate'), { overlapHours });
    for (let times = 0; times < 4; times++) expect((await rotate(1)).status).toBe(200);
    const refused = await rotate(1);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('overlapHours 0'),
    ]);
    expect((await rotate(0)).status).toBe(200);
    await change();
    const [only] = await eventually('it', () => sink.received.length === 1 && sink.received);
    expect(only?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });
});

describe('headers of a subscriber', () => {
  it('come with each notification, and are shown to nobody', async () => {
    const headers = { Authorization: 'Bearer sesame', 'X-Team': 'post' };
    const { body } = await ada.put(path(), { headers });
    expect(body).toMatchObject({ headers: { Authorization: '********', 'X-Team': '********' } });
    // What was read can be put back.
    expect((await ada.put(path(), body as object)).body).toEqual(body);
    await change();
    const [notification] = await eventually('it', () => sink.received.length > 0 && sink.received);
    expect(notification?.headers).toMatchObject({
      authorization: 'Bearer sesame',
      'x-team': 'post',
    });
    const rows = await galley.database.query<{ text: string }>(
      `SELECT endpoint::text || coalesce((SELECT string_agg(a::text, '') FROM webhook_attempts a), '')
         AS text FROM webhook_endpoints endpoint WHERE id = $1`,
      [endpoint.id],
    );
    expect(rows[0]?.text).not.toContain('sesame');
  });

  it('are not sent to another host before they are given anew', async () => {
    await ada.put(path(), { headers: { Authorization: 'Bearer sesame' } });
    const url = 'http://127.0.0.1:9/';
    for (const change of [{ url }, { url, headers: { Authorization: '********' } }]) {
      const answer = await ada.put<{ message: string }>(path(), change);
      expect([answer.status, answer.body.message]).toEqual([
        400,
        expect.stringContaining('headers must be given anew'),
      ]);
    }
    expect((await ada.put(path(), { url: `${sink.url}/b` })).status).toBe(200);
    expect((await ada.put(path(), { url, headers: { Authorization: 'x' } })).status).toBe(200);
  });

  it('that nobody can decrypt any more keep nothing else from being read or changed', async () => {
    await ada.put(path(), { headers: { 'X-Team': 'post' } });
    await galley.database.query(
      `UPDATE webhook_endpoints SET encrypted_headers = overlay(encrypted_headers PLACING '00000000' FROM 1)
       WHERE id = $1`,
      [endpoint.id],
    );
    expect(await ada.get(path())).toMatchObject({ status: 200, body: { headers: {} } });
    const kept = `webhook_endpoints WHERE id = '${endpoint.id}' AND encrypted_headers IS NOT NULL`;
    await ada.put(path(), { headers: {}, description: 'Put back as it was read' });
    expect(await galley.database.count(kept)).toBe(1);
    // What nobody could read is not to be sent elsewhere when the key is found again.
    await ada.put(path(), { url: 'http://127.0.0.1:9/', headers: {} });
    expect(await galley.database.count(kept)).toBe(0);
    const { body } = await ada.put(path(), { headers: { 'X-Team': 'letters' } });
    expect(body).toMatchObject({ headers: { 'X-Team': '********' } });
  });

  it.each([
    [{ Host: 'elsewhere' }, 'must not set Host'],
    [{ 'Webhook-Signature': 'v1,x' }, 'must not set Webhook-Signature'],
    [{ 'X-Service-Signature': 't=1' }, 'must not set X-Service-Signature'],
    [{ 'Content-Length': '1' }, 'must not set Content-Length'],
    [{ 'X A': 'b' }, 'must not name a header "X A"'],
    [{ 'X-A': 'b\r\nHost: c' }, 'must give X-A a value'],
    [{ 'X-A': '********' }, 'must give X-A a value'],
    [{ 'X-A': 'b', 'x-a': 'c' }, 'must not name a header twice'],
    [['X-A'], 'must be an object'],
  ])('may not be %j', async (headers, problem) => {
    const answer = await ada.put<{ message: string }>(path(), { headers });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(problem);
  });
});

describe('a filter by resource', () => {
  it('lets only the events of those through', async () => {
    const other = await ada.post<{ id: string }>('/api/modules', {
      ...{ name: 'Footer', workspaceId: workspace.id, content: {} },
    });
    const events = ['module.updated'];
    await ada.put(path(), { events, resourceIds: [other.body.id] });
    const ignored = await ada.post<{ id: string }>('/api/modules', {
      ...{ name: 'Header', workspaceId: workspace.id, content: {} },
    });
    await ada.put(`/api/modules/${ignored.body.id}`, { name: 'Top' });
    await ada.put(`/api/modules/${other.body.id}`, { name: 'Bottom' });
    await eventually('the event', () => sink.received.length === 1);
    expect(sink.received[0]?.body).toContain('Bottom');
  });

  it('names each once, however it is written', async () => {
    const { id } = workspace;
    const answer = await ada.put<{ message: string }>(path(), {
      resourceIds: [id, id.toUpperCase()],
    });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('must not name an id twice');
  });
});
