import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';
import { PostgresProxy } from '../support/postgres-proxy.js';

let galley: Galley;
let proxy: PostgresProxy;
let ada: Client;
let bobId: string;

beforeAll(async () => {
  galley = await startGalley({
    through: async (databaseUrl) => {
      proxy = await PostgresProxy.to(databaseUrl, 'galley api');
      return proxy.databaseUrl;
    },
  });
  ada = await galley.as('ada');
  const bob = await galley.as('bob');
  bobId = (await bob.get<{ user: { id: string } }>('/api/auth/me')).body.user.id;
});
afterAll(async () => {
  await galley.stop();
  await proxy.stop();
});

/** What there is to call a route with. */
interface Ids {
  workspace: string;
  template: string;
  module: string;
  endpoint: string;
}

async function newIds(): Promise<Ids> {
  const create = async (path: string, body: object) =>
    (await ada.post<{ id: string }>(path, body)).body.id;
  const workspace = await create('/api/workspaces', { name: 'Post' });
  const workspaceId = workspace;
  return {
    workspace,
    template: await create('/api/templates', { name: 'Welcome', workspaceId }),
    module: await create('/api/modules', {
      name: 'Footer',
      workspaceId,
      category: 'footer',
      content: {},
    }),
    endpoint: await create('/api/webhooks', {
      workspaceId,
      url,
      events,
    }),
  };
}

const events = ['template.created'];
const noBody = () => undefined;
const url = 'http://127.0.0.1:9/';

// One statement that also says who asks; or a transaction: BEGIN with the lock, the change, its
// outbox row with COMMIT.
const routes: [trips: number, route: string, body: (ids: Ids) => object | undefined][] = [
  [1, 'GET /api/auth/me', noBody],
  [1, 'GET /api/workspaces', noBody],
  [1, 'GET /api/workspaces/{workspace}', noBody],
  [1, 'GET /api/workspaces/{workspace}/members', noBody],
  [1, 'GET /api/templates?workspaceId={workspace}', noBody],
  [1, 'GET /api/templates/{template}', noBody],
  [1, 'GET /api/templates/{template}/versions', noBody],
  [1, 'GET /api/templates/{template}/versions/1', noBody],
  [1, 'GET /api/modules?workspaceId={workspace}', noBody],
  [1, 'GET /api/modules/{module}', noBody],
  [1, 'GET /api/webhooks?workspaceId={workspace}', noBody],
  [1, 'GET /api/webhooks/{endpoint}', noBody],
  [1, 'POST /api/templates', ({ workspace: workspaceId }) => ({ name: 'New', workspaceId })],
  [
    1,
    'POST /api/modules',
    ({ workspace: workspaceId }) => ({ name: 'New', workspaceId, category: 'header', content: {} }),
  ],
  [2, 'POST /api/workspaces', () => ({ name: 'New' })],
  [3, 'PUT /api/workspaces/{workspace}', () => ({ name: 'Renamed' })],
  [3, 'POST /api/workspaces/{workspace}/members', () => ({ userId: bobId, role: 'viewer' })],
  [
    4,
    'POST /api/workspaces/{workspace}/members',
    () => ({ email: 'x@example.com', role: 'viewer' }),
  ],
  [3, 'PUT /api/templates/{template}', () => ({ name: 'Renamed' })],
  [3, 'POST /api/templates/{template}/duplicate', () => ({})],
  // It loads the version in between.
  [4, 'POST /api/templates/{template}/versions/1/restore', () => ({})],
  [3, 'DELETE /api/templates/{template}', noBody],
  [3, 'PUT /api/modules/{module}', () => ({ name: 'Renamed' })],
  [3, 'POST /api/modules/{module}/duplicate', () => ({})],
  [3, 'DELETE /api/modules/{module}', noBody],
  [2, 'POST /api/webhooks', ({ workspace: workspaceId }) => ({ workspaceId, url, events })],
  [3, 'PUT /api/webhooks/{endpoint}', () => ({ description: 'New' })],
  // It looks how long the backlog is.
  [4, 'DELETE /api/webhooks/{endpoint}', noBody],
  // It leaves an audit entry.
  [2, 'GET /api/webhooks/{endpoint}/secret', noBody],
  [1, 'GET /api/workspaces/{workspace}/audit', noBody],
  [3, 'POST /api/webhooks/{endpoint}/secret/rotate', () => ({})],
  [1, 'GET /api/webhooks/{endpoint}/transitions', noBody],
  [1, 'GET /api/webhooks/{endpoint}/deliveries', noBody],
  [3, 'POST /api/webhooks/{endpoint}/test', noBody],
  [3, 'POST /api/webhooks/{endpoint}/enable', () => ({})],
  [3, 'POST /api/webhooks/{endpoint}/disable', noBody],
  [1, 'GET /api/events?workspaceId={workspace}', noBody],
];

it.each(routes)('waits for the database %i times in %s', async (trips, route, body) => {
  const ids = await newIds();
  const [method = '', path = ''] = route.split(' ');
  const filled = path.replace(/\{(\w+)\}/, (_, name: keyof Ids) => ids[name]);
  const counted = await proxy.roundTripsOf(async () => {
    const { status, text } = await ada.send(method, filled, body(ids));
    expect([text, status < 300]).toEqual([text, true]);
  });
  expect(counted).toBe(trips);
});
