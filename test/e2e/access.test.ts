import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiConfig } from '#config';
import { createApi } from '../../apps/api/api.js';
import { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';
import { snapshot } from '../support/snapshot.js';

interface Resource {
  id: string;
}

const callers = ['outsider', 'viewer', 'editor', 'admin', 'owner'] as const;
type Caller = (typeof callers)[number];

/** Route, the least of the callers who may use it, the status it answers them, and a body. */
type Row = [string, Caller, number, Record<string, unknown>?];

// `:name` stands for an id. What a role may do is written here once more on purpose, not read from
// the service: it is the meaning of the roles.
const workspaceId = ':workspace';
const webhook = { workspaceId, url: 'https://example.com', events: ['module.created'] };
const routes: Row[] = [
  ['GET /api/auth/me', 'outsider', 200],
  ['GET /api/workspaces', 'outsider', 200],
  ['POST /api/workspaces', 'outsider', 201, { name: 'Mine' }],
  ['GET /api/workspaces/:workspace', 'viewer', 200],
  ['PUT /api/workspaces/:workspace', 'owner', 200, { name: 'Renamed' }],
  ['DELETE /api/workspaces/:workspace', 'owner', 204],
  ['GET /api/workspaces/:workspace/members', 'viewer', 200],
  ['POST /api/workspaces/:workspace/members', 'admin', 201, { userId: ':newcomer', role: 'admin' }],
  ['PUT /api/workspaces/:workspace/members/:member', 'admin', 200, { role: 'editor' }],
  ['DELETE /api/workspaces/:workspace/members/:member', 'admin', 204],
  ['GET /api/workspaces/:workspace/keys', 'admin', 200],
  ['POST /api/workspaces/:workspace/keys', 'admin', 201, { name: 'Shop', role: 'viewer' }],
  ['DELETE /api/workspaces/:workspace/keys/:key', 'admin', 204],
  ['GET /api/workspaces/:workspace/audit', 'admin', 200],
  ['GET /api/templates?workspaceId=:workspace', 'viewer', 200],
  ['POST /api/templates', 'editor', 201, { name: 'A', workspaceId }],
  ['GET /api/templates/:template', 'viewer', 200],
  ['PUT /api/templates/:template', 'editor', 200, { name: 'B' }],
  ['DELETE /api/templates/:template', 'editor', 204],
  ['POST /api/templates/:template/duplicate', 'editor', 201],
  ['GET /api/templates/:template/versions', 'viewer', 200],
  ['GET /api/templates/:template/versions/1', 'viewer', 200],
  ['POST /api/templates/:template/versions/1/restore', 'editor', 200],
  ['GET /api/modules?workspaceId=:workspace', 'viewer', 200],
  ['POST /api/modules', 'editor', 201, { name: 'A', workspaceId, content: {} }],
  ['GET /api/modules/:module', 'viewer', 200],
  ['PUT /api/modules/:module', 'editor', 200, { description: 'B' }],
  ['DELETE /api/modules/:module', 'editor', 204],
  ['POST /api/modules/:module/duplicate', 'editor', 201],
  ['GET /api/webhooks?workspaceId=:workspace', 'admin', 200],
  ['POST /api/webhooks', 'admin', 201, webhook],
  ['GET /api/webhooks/:webhook', 'admin', 200],
  ['PUT /api/webhooks/:webhook', 'admin', 200, { status: 'disabled' }],
  ['DELETE /api/webhooks/:webhook', 'admin', 204],
  ['POST /api/webhooks/:webhook/disable', 'admin', 200],
  ['POST /api/webhooks/:webhook/enable', 'admin', 200, {}],
  ['POST /api/webhooks/:webhook/test', 'admin', 202],
  ['GET /api/webhooks/:webhook/transitions', 'admin', 200],
  ['GET /api/webhooks/:webhook/secret', 'admin', 200],
  ['POST /api/webhooks/:webhook/secret/rotate', 'admin', 200, {}],
  ['GET /api/webhooks/:webhook/deliveries', 'admin', 200],
  ['POST /api/webhooks/:webhook/deliveries/cancel', 'admin', 200],
  ['GET /api/webhooks/:webhook/deliveries/:delivery', 'admin', 200],
  ['POST /api/webhooks/:webhook/deliveries/:delivery/retry', 'admin', 202],
  ['POST /api/webhooks/:webhook/deliveries/:delivery/cancel', 'admin', 204],
  ['GET /api/webhooks/:webhook/replays', 'admin', 200],
  ['POST /api/webhooks/:webhook/replays', 'admin', 202, { since: '2026-01-01T00:00:00Z' }],
  ['POST /api/webhooks/:webhook/replays/:replay/cancel', 'admin', 200],
  ['GET /api/events?workspaceId=:workspace', 'viewer', 200],
];

/** The only routes that answer without a token. Whoever adds one argues for it here. */
const publicRoutes = ['GET /health/live', 'GET /health/ready', 'POST /api/auth/webhook'];

let galley: Galley;
let clients: Record<string, Client>;
let userIds: Record<string, string>;

const clientOf = (name: string) => clients[name] ?? galley.nobody;
const idOf = (name: string) => userIds[name] ?? '';

beforeAll(async () => {
  galley = await startGalley();
  const names = [...callers, 'member', 'newcomer'];
  clients = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await galley.as(name)] as const)),
  );
  const idsOf = names.map(async (name) => {
    const { body } = await clientOf(name).get<{ user: Resource }>('/api/auth/me');
    return [name, body.user.id] as const;
  });
  userIds = Object.fromEntries(await Promise.all(idsOf));
});
afterAll(() => galley.stop());

/** A workspace with everybody but outsider and newcomer in it. */
async function makeWorkspace(): Promise<string> {
  const { id } = await galley.workspaceOf('owner');
  for (const role of ['viewer', 'editor', 'admin', 'member']) {
    await setRole(id, role, role === 'member' ? 'viewer' : role);
  }
  return id;
}

const setRole = (workspace: string, name: string, role: string) =>
  clientOf('owner').post(`/api/workspaces/${workspace}/members`, { userId: idOf(name), role });

async function make(path: string, body: object): Promise<string> {
  const { status, body: made } = await clientOf('owner').post<Resource>(path, body);
  expect(status).toBe(201);
  return made.id;
}

/** Ids of a fresh workspace and of one of everything in it, as far as the route speaks of it. */
async function makeWorld(route: string): Promise<Record<string, string>> {
  const workspace = await makeWorkspace();
  const of = { workspaceId: workspace };
  const ids: Record<string, string> = { ...userIds, workspace };
  if (route.includes(':key'))
    ids['key'] = await make(`/api/workspaces/${workspace}/keys`, { name: 'A', role: 'viewer' });
  if (route.includes(':template'))
    ids['template'] = await make('/api/templates', { name: 'A', ...of });
  if (route.includes(':module'))
    ids['module'] = await make('/api/modules', { name: 'A', content: {}, ...of });
  if (route.includes(':webhook'))
    ids['webhook'] = await make('/api/webhooks', { ...webhook, ...of });
  if (route.includes(':replay')) {
    const replays = `/api/webhooks/${ids['webhook']}/replays`;
    const since = '2026-01-01T00:00:00Z';
    ids['replay'] = (await clientOf('owner').post<Resource>(replays, { since })).body.id;
  }
  if (route.includes(':delivery')) {
    const [delivery] = await galley.database.query<Resource>(
      `INSERT INTO webhook_deliveries (endpoint_id, id, workspace_id, event_position,
         event_relayed_at, event_id, kind, resource_id, sequence, due_at)
       VALUES ($1, uuidv7_at(now()), $2, 1, now(), gen_random_uuid(), 'module.created',
         gen_random_uuid(), 1, now()) RETURNING id`,
      [ids['webhook'], workspace],
    );
    ids['delivery'] = delivery?.id ?? '';
  }
  return ids;
}

function call(client: Client, [route, , , body]: Row, ids: Record<string, string>) {
  const fill = (text: string) =>
    text.replace(/:(\w+)/g, (whole, name: string) => ids[name] ?? whole);
  const [method = '', path = ''] = fill(route).split(' ');
  const filled =
    body &&
    Object.fromEntries(
      Object.entries(body).map(([key, value]) => [
        key,
        typeof value === 'string' ? fill(value) : value,
      ]),
    );
  return client.send(method, path, filled);
}

describe('a role', () => {
  const cases = routes.flatMap((row) =>
    callers.map((caller): [string, string, number, Row] => {
      const allowed = callers.indexOf(caller) >= callers.indexOf(row[1]);
      return [caller, row[0], allowed ? row[2] : 403, row];
    }),
  );

  it.each(cases)('decides: %s gets for %s a %i', async (caller, route, status, row) => {
    const ids = await makeWorld(route);
    const before = await snapshot(galley.database);
    const answer = await call(clientOf(caller), row, ids);
    expect(answer.status).toBe(status);
    if (status === 403) {
      expect(answer.text).toBe('{"statusCode":403,"message":"Forbidden"}');
      expect(await snapshot(galley.database)).toEqual(before);
    }
  });
});

describe('what is not there', () => {
  const UNKNOWN = '01900000-0000-7000-8000-000000000000';
  const rows = routes.filter(([route, , , body]) => /:\w/.test(route + JSON.stringify(body ?? {})));

  it.each(rows)('is 404 for everybody: %s', async (...row) => {
    const ids = await makeWorld(row[0]);
    // Of a member it is the workspace that is not there.
    const [, kind = 'workspace'] = /\/:(\w+)/.exec(row[0]) ?? [];
    for (const caller of ['outsider', 'owner']) {
      const { status, body } = await call(clientOf(caller), row, { ...ids, [kind]: UNKNOWN });
      const message: unknown = expect.stringMatching(/^There is no such \w+\.$/);
      expect([caller, status, body]).toEqual([caller, 404, { statusCode: 404, message }]);
    }
  });
});

describe('a member', () => {
  const reads = [
    ...['', '/members'].map((path) => `GET /api/workspaces/:workspace${path}`),
    ...['templates', 'modules'].map((kind) => `GET /api/${kind}?workspaceId=:workspace`),
    ...['GET /api/templates/:template', 'GET /api/templates/:template/versions/1'],
  ];

  it('who is removed is refused from the very next request', async () => {
    const ids = await makeWorld(':template');
    const member = clientOf('member');
    const statuses = async () =>
      (await Promise.all(reads.map((route) => call(member, [route, 'viewer', 0], ids)))).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual(reads.map(() => 200));
    const membership = `/api/workspaces/${ids['workspace'] ?? ''}/members/${idOf('member')}`;
    expect((await clientOf('admin').delete(membership)).status).toBe(204);
    expect(await statuses()).toEqual(reads.map(() => 403));
    const { body } = await member.get<{ data: Resource[] }>('/api/workspaces?limit=100');
    expect(body.data.map(({ id }) => id)).not.toContain(ids['workspace']);
  });

  it('has a new role from the very next request', async () => {
    const workspace = await makeWorkspace();
    const role = `/api/workspaces/${workspace}/members/${idOf('member')}`;
    const create = async () =>
      (await clientOf('member').post('/api/templates', { name: 'A', workspaceId: workspace }))
        .status;
    expect(await create()).toBe(403);
    await clientOf('admin').put(role, { role: 'editor' });
    expect(await create()).toBe(201);
    await clientOf('admin').put(role, { role: 'viewer' });
    expect(await create()).toBe(403);
  });

  it('may leave, whatever the role', async () => {
    const members = `/api/workspaces/${await makeWorkspace()}/members`;
    for (const name of ['viewer', 'editor', 'admin', 'member']) {
      expect((await clientOf(name).delete(`${members}/${idOf(name)}`)).status).toBe(204);
      expect((await clientOf(name).get(members)).status).toBe(403);
    }
  });

  it('is added once', async () => {
    const { status } = await setRole(await makeWorkspace(), 'member', 'editor');
    expect(status).toBe(409);
  });
});

describe('an owner', () => {
  it('is made and unmade by an owner alone', async () => {
    const members = `/api/workspaces/${await makeWorkspace()}/members`;
    const add = { userId: idOf('newcomer'), role: 'owner' };
    const asAdmin = [
      await clientOf('admin').post(members, add),
      await clientOf('admin').put(`${members}/${idOf('member')}`, { role: 'owner' }),
      await clientOf('admin').put(`${members}/${idOf('admin')}`, { role: 'owner' }),
      await clientOf('admin').put(`${members}/${idOf('owner')}`, { role: 'viewer' }),
      await clientOf('admin').delete(`${members}/${idOf('owner')}`),
    ];
    expect(asAdmin.map(({ status }) => status)).toEqual(asAdmin.map(() => 403));
    const asOwner = [
      await clientOf('owner').post(members, add),
      await clientOf('owner').put(`${members}/${idOf('member')}`, { role: 'owner' }),
      await clientOf('owner').put(`${members}/${idOf('newcomer')}`, { role: 'viewer' }),
      await clientOf('owner').delete(`${members}/${idOf('member')}`),
    ];
    expect(asOwner.map(({ status }) => status)).toEqual([201, 200, 200, 204]);
  });

  it('who is the last neither leaves nor steps down', async () => {
    const own = `/api/workspaces/${await makeWorkspace()}/members/${idOf('owner')}`;
    const before = await snapshot(galley.database);
    const answers = [
      await clientOf('owner').delete(own),
      await clientOf('owner').put(own, { role: 'admin' }),
    ];
    const message = 'A workspace never loses its last owner; name another one first.';
    expect(answers.map(({ body }) => body)).toEqual(
      answers.map(() => ({ statusCode: 409, message })),
    );
    expect(await snapshot(galley.database)).toEqual(before);
    expect((await clientOf('owner').put(own, { role: 'owner' })).status).toBe(200);
  });

  it('stays even when two of them demote each other at once', async () => {
    for (let round = 1; round <= 5; round++) {
      const workspace = await makeWorkspace();
      const members = `/api/workspaces/${workspace}/members`;
      await clientOf('owner').put(`${members}/${idOf('member')}`, { role: 'owner' });
      const answers = await Promise.all([
        clientOf('owner').put(`${members}/${idOf('member')}`, { role: 'viewer' }),
        clientOf('member').put(`${members}/${idOf('owner')}`, { role: 'viewer' }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      const owners = await galley.database.query(
        `SELECT FROM workspace_members WHERE workspace_id = $1 AND role = 'owner'`,
        [workspace],
      );
      expect(owners).toHaveLength(1);
    }
  });
});

describe.each(['template', 'module'])('a copy of a %s', (kind) => {
  it.each([
    ['viewer', 'none', 403],
    ['viewer', 'viewer', 403],
    ['none', 'editor', 403],
    ['viewer', 'editor', 201],
  ])('by a %s here who is %s there is %i', async (here, there, status) => {
    const workspaces = [await galley.workspaceOf('owner'), await galley.workspaceOf('owner')];
    const [source = '', target = ''] = workspaces.map(({ id }) => id);
    if (here !== 'none') await setRole(source, 'newcomer', here);
    if (there !== 'none') await setRole(target, 'newcomer', there);
    const id = await make(`/api/${kind}s`, { name: 'A', workspaceId: source, content: {} });
    const before = await snapshot(galley.database);
    const answer = await clientOf('newcomer').post(`/api/${kind}s/${id}/duplicate`, {
      workspaceId: target,
    });
    expect(answer.status).toBe(status);
    if (status === 403) expect(await snapshot(galley.database)).toEqual(before);
    else expect(answer.body).toMatchObject({ name: 'A (copy)', workspaceId: target });
  });
});

// The last, because passport keeps one strategy for the process: that of the latest service in it.
describe('a route', () => {
  it('is closed to whoever has no token, unless it is listed as public, and is in the table', async () => {
    // The same service once more, because routes can only be listened for before it is up.
    const api = await createApi(apiConfig(galley.environment));
    const registered: string[] = [];
    api
      .getHttpAdapter()
      .getInstance()
      .addHook('onRoute', ({ method, url }) => {
        registered.push(...[method].flat().map((verb) => `${verb} ${url}`));
      });
    try {
      await api.listen(0, '127.0.0.1');
      const nobody = new Client(await api.getUrl());
      for (const route of registered.filter((name) => !isPublic(name))) {
        const [method = '', path = ''] = route.replace(/:\w+/g, '1').split(' ');
        const { status, text } = await nobody.send(method, path);
        expect([route, status]).toEqual([route, 401]);
        const expected = method === 'HEAD' ? '' : '{"statusCode":401,"message":"Unauthorized"}';
        expect(text).toBe(expected);
      }
    } finally {
      await api.close();
    }
    const shapes = registered.filter((name) => !name.startsWith('HEAD ')).map(shapeOf);
    const known = [...routes.map(([route]) => route), ...publicRoutes].map(shapeOf);
    expect(shapes.sort()).toEqual(known.sort());
  });

  const isPublic = (route: string) => publicRoutes.includes(route.replace(/^HEAD/, 'GET'));
  const shapeOf = (route: string) => route.replace(/\?.*/, '').replace(/(?<=\/)(:\w+|\d+)/g, ':');

  it.each(publicRoutes.filter((route) => route.startsWith('GET')))(
    'is open to whoever has no token: %s',
    async (route) => {
      expect((await galley.nobody.get(route.slice('GET '.length))).status).toBe(200);
    },
  );
});
