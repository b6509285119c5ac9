import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../support/answer.js';
import { Client, shown } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { peopleOf, type Person } from '../support/people.js';
import { make, makeResources } from '../support/resources.js';
import { call, namesIn, routes, shapeOf, type Ids, type Route } from '../support/routes.js';
import { snapshot } from '../support/snapshot.js';

let galley: Galley;
let people: Record<'ada' | 'bob' | 'eve', Person>;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley();
  people = await peopleOf(galley, ['ada', 'bob', 'eve']);
  workspaceId = (await galley.workspaceOf('ada')).id;
});
afterAll(() => galley.stop());

const ada = (key: string = randomUUID()) => people.ada.client.with({ 'idempotency-key': key });
const template = (name = 'A') => ({ workspaceId, name });
const rows = (table: string) => galley.database.count(table);
const REUSED = {
  statusCode: 422,
  code: 'key_reused',
  message:
    'This Idempotency-Key was sent before with another path or body; take a new one for a new request.',
};

/** How many rows each table has more after the work. */
async function madeBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await snapshot(galley.database);
  await work();
  const after = await snapshot(galley.database);
  return Object.fromEntries(
    Object.entries(after).map(([table, now]) => [
      ...[table, Number.parseInt(now) - Number.parseInt(before[table] ?? '')],
    ]),
  ) as Record<string, number>;
}

const expectNoChange = async (work: () => Promise<unknown>) => {
  const before = await snapshot(galley.database);
  await work();
  expect(await snapshot(galley.database)).toEqual(before);
};

async function makeWorld(route: Route): Promise<Ids> {
  const { id: workspace } = await galley.workspaceOf('ada');
  const { client } = people.ada;
  const made = await makeResources(client, galley.database, workspace, namesIn(route));
  return { ...made, workspace, newcomer: people.eve.id };
}

const taking = routes.filter(({ once }) => once);

it('is taken by every POST that makes something, and by nothing else', async () => {
  const { paths } = JSON.parse(await readFile('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { parameters?: { $ref?: string }[] }>>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { parameters }]) => parameters?.some(({ $ref }) => $ref?.endsWith('cy-Key')))
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, ':')}`),
  );
  expect(documented.sort()).toEqual(taking.map(({ route }) => shapeOf(route)).sort());
});

describe.each(taking.map((route) => [route.route, route] as const))('%s', (_name, route) => {
  it('has one effect and one answer, of 50 at once and of one that comes when all is gone', async () => {
    const [other, ids] = [await makeWorld(route), await makeWorld(route)];
    let plain: ReturnType<typeof shown> | undefined;
    const single = await madeBy(async () => {
      plain = shown(await call(people.ada.client, route, other));
    });
    const client = ada();
    let answers: Answer<{ id?: string }>[] = [];
    const made = await madeBy(async () => {
      const sends = Array.from({ length: 50 }, () => call<{ id?: string }>(client, route, ids));
      answers = await Promise.all(sends);
    });
    expect(made).toEqual({ ...single, idempotency_keys: 1 });
    const [first, ...others] = answers.map(shown);
    expect([first?.text, first?.status]).toEqual([first?.text, route.status]);
    for (const answer of others) expect(answer).toEqual(first);
    expect(Object.keys(first?.headers ?? {})).toEqual(Object.keys(plain?.headers ?? {}));
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(50);

    const gone = namesIn(route).length > 0 ? ids['workspace'] : answers[0]?.body.id;
    const deletion = await people.ada.client.delete(`/api/workspaces/${gone}?force=true`);
    expect(deletion.status).toBe(204);
    await expectNoChange(async () => expect(shown(await call(client, route, ids))).toEqual(first));
  });
});

describe('a key', () => {
  const post = <Body>(key: string, body: object = template()) =>
    ada(key).post<Body>('/api/templates', body);

  it('is of one request: another body or path is refused', async () => {
    const client = ada();
    const path = '/api/templates';
    const first = await client.post(path, template());
    await expectNoChange(async () => {
      const others = [
        client.post(path, template('B')),
        client.raw('POST', path, ` ${JSON.stringify(template())}`, {
          'content-type': 'application/json',
        }),
        client.post('/api/modules', { ...template(), content: {} }),
        client.post(`/api/webhooks/${randomUUID()}/test`),
      ];
      for (const { status, body } of await Promise.all(others)) {
        expect([status, body]).toEqual([422, REUSED]);
      }
      expect(shown(await client.post(path, template()))).toEqual(shown(first));
    });
  });

  it('is its caller’s: that of somebody else, or of an API key, is another one', async () => {
    const key = randomUUID();
    const { eve } = people;
    const body = { userId: eve.id, role: 'editor' };
    await people.ada.client.post(`/api/workspaces/${workspaceId}/members`, body);
    const api = await people.ada.client.post<{ key: string }>(
      `/api/workspaces/${workspaceId}/keys`,
      { name: 'Shop', role: 'editor' },
    );
    const callers = [people.ada.client, eve.client, new Client(galley.url, api.body.key)];
    const send = () =>
      Promise.all(
        callers.map((caller) =>
          caller
            .with({ 'idempotency-key': key })
            .post<{ id: string }>('/api/templates', template()),
        ),
      );
    const made = await madeBy(async () => {
      const [first, again] = [await send(), await send()];
      expect(again.map(shown)).toEqual(first.map(shown));
      expect(new Set(first.map(({ body: { id } }) => id)).size).toBe(3);
    });
    expect(made).toMatchObject({ templates: 3, template_versions: 3, outbox: 3 });
  });

  it.each([
    ['abc', '"abc"'],
    ['a,b;c=1', '"a,b;c=1"'],
    ["a\\'b", `"a\\\\'b"`],
    ['x'.repeat(255), `"${'x'.repeat(255)}"`],
  ])('%s is the same as %s', async (bare, quoted) => {
    const [first, again] = [await post(bare), await post(quoted)];
    expect([first.status, shown(again)]).toEqual([201, shown(first)]);
    expect((await post(quoted, template('B'))).status).toBe(422);
  });

  it.each([
    ...['', '""', '"', '"abc', '"a"b"', '"a\\b"', '"abc";a=1', 'a b', '"a b"', 'a, b', 'é'],
    ...['a\tb', 'x'.repeat(256), `"${'x'.repeat(256)}"`],
  ])('is not %j', async (key) => {
    await expectNoChange(async () => {
      const { status, body } = await post<{ details: unknown }>(key);
      expect([status, body.details]).toMatchObject([400, [{ path: 'Idempotency-Key' }]]);
    });
  });

  it('means nothing to what can be repeated anyway, or makes nothing', async () => {
    const webhook = { workspaceId, url: 'https://example.com', events: ['module.created'] };
    const id = await make(people.ada.client, '/api/webhooks', webhook);
    const client = ada('no key');
    const replay = { since: '2026-01-01T00:00:00Z', dryRun: true };
    const answers = [
      await client.post(`/api/webhooks/${id}/disable`),
      await client.put(`/api/webhooks/${id}`, { description: 'B' }),
      await client.get(`/api/webhooks/${id}`),
    ];
    const count = ada();
    for (const description of ['C', 'D']) {
      await client.put(`/api/webhooks/${id}`, { description });
      answers.push(await count.post(`/api/webhooks/${id}/replays`, replay));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('is free again after 24 hours', async () => {
    const key = randomUUID();
    const ages = (age: string) =>
      galley.database.query(
        `UPDATE idempotency_keys SET created_at = now() - interval '${age}' WHERE key = $1`,
        [key],
      );
    const first = await post<{ id: string }>(key);
    await ages('23 hours 59 minutes');
    expect(shown(await post(key))).toEqual(shown(first));
    await ages('24 hours 1 second');
    const second = await post<{ id: string; name: string }>(key, template('B'));
    expect([second.status, second.body.name]).toEqual([201, 'B']);
    expect(shown(await post(key, template('B')))).toEqual(shown(second));
    expect((await post(key)).status).toBe(422);
  });

  it('is as new after a request that failed', async () => {
    const key = randomUUID();
    const failing: [number, object][] = [
      [400, template('')],
      [404, { ...template(), workspaceId: randomUUID() }],
      [403, { ...template(), workspaceId: (await galley.workspaceOf('bob')).id }],
    ];
    await expectNoChange(async () => {
      for (const [status, body] of failing) expect((await post(key, body)).status).toBe(status);
    });
    expect((await post(key)).status).toBe(201);
  });

  it('shows what was answered to who has no role any more, but not to who is shut out', async () => {
    const { id } = await galley.workspaceOf('ada');
    const members = `/api/workspaces/${id}/members`;
    await people.ada.client.post(members, { userId: people.bob.id, role: 'editor' });
    const bob = people.bob.client.with({ 'idempotency-key': randomUUID() });
    const send = () => bob.post('/api/templates', { workspaceId: id, name: 'A' });
    const first = await send();
    await people.ada.client.delete(`${members}/${people.bob.id}`);
    expect([first.status, shown(await send())]).toEqual([201, shown(first)]);
    const become = (status: string) =>
      galley.database.query('UPDATE users SET status = $1 WHERE id = $2', [status, people.bob.id]);
    await become('deactivated');
    expect((await send()).status).toBe(401);
    await become('active');
  });

  it('shows an API key again that has ended meanwhile', async () => {
    const client = ada();
    const end = Date.now() + 5_000;
    const body = { name: 'Brief', role: 'viewer', expiresAt: new Date(end).toISOString() };
    const create = async () =>
      shown(await client.post(`/api/workspaces/${workspaceId}/keys`, body));
    const first = await create();
    expect(first.status).toBe(201);
    await eventually('its end', () => Date.now() > end);
    expect(await create()).toEqual(first);
  });

  it('has one effect however two of them, two bodies and failures come together', async () => {
    const keys = fc.constantFrom('one', 'two');
    const names = fc.constantFrom('A', 'B', '');
    const sends = fc.array(fc.tuple(keys, names), { minLength: 2, maxLength: 20 });
    const property = fc.asyncProperty(sends, async (requests) => {
      const round = randomUUID();
      const before = await rows('templates');
      const send = async ([key, name]: [string, string]) => {
        const answer = await post(`${key} ${round}`.replace(' ', '-'), template(name));
        return { key, name, ...shown(answer) };
      };
      const answers = await Promise.all(requests.map(send));
      const served = answers.filter(({ status }) => status === 201);
      const first = new Map(served.map(({ key, ...answer }) => [key, answer]));
      for (const { key, ...answer } of answers) {
        if (answer.name === '') expect(answer.status).toBe(400);
        else if (answer.name === first.get(key)?.name) expect(answer).toEqual(first.get(key));
        else expect(answer.status).toBe(422);
      }
      expect(await rows('templates')).toBe(before + first.size);
    });
    await fc.assert(property, { numRuns: 20 });
  });
});
