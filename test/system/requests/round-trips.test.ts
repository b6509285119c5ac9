import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeyRotation } from '#key-rotation';
import { resourceOf, type BatchResponse } from '../../support/api/batches.js';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { signInUsers, type TestUser } from '../../support/galley/users.js';
import { PostgresProxy, type QueryCost } from '../../support/network/postgres-proxy.js';
import { createResources } from '../../support/galley/resources.js';
import {
  callRoute,
  isRead,
  namesIn,
  routes,
  type Ids,
  type Route,
} from '../../support/api/routes.js';

let galley: Galley;
let proxy: PostgresProxy;
let users: Record<'ada' | 'bob' | 'eve', TestUser>;
/** The ids of a workspace with one resource of each kind, for requests that change nothing. */
let sharedIds: Ids;

beforeAll(async () => {
  galley = await startGalley({
    mailServer: true,
    pictures: true,
    proxyDatabase: async (databaseUrl) => {
      proxy = await PostgresProxy.to(databaseUrl, 'galley api');
      return proxy.databaseUrl;
    },
  });
  // The reports of a running program would count as statements of a request.
  await galley.api.get(KeyRotation).beforeApplicationShutdown();
  users = await signInUsers(galley, ['ada', 'bob', 'eve']);
  sharedIds = await createFixture(routes.flatMap(namesIn));
  // A version that is not in the cache takes one more, for the workspace whose turn a thread takes.
  await callRoute(
    users.ada.client,
    findRoute('GET /api/templates/:template/versions/:version/html'),
    sharedIds,
  );
});
afterAll(async () => {
  await galley.stop();
  await proxy.stop();
});

async function createFixture(names: readonly string[]): Promise<Ids> {
  const { ada, bob, eve } = users;
  const ids = { member: bob.id, newcomer: eve.id };
  if (names.length === 0) return ids;
  const workspace = (await galley.createWorkspaceFor('ada')).id;
  if (names.includes('member')) {
    const member = { userId: bob.id, role: 'viewer' };
    await ada.client.post(`/api/workspaces/${workspace}/members`, member);
  }
  const resourceIds = await createResources(ada.client, galley.database, workspace, names);
  return { ...ids, ...resourceIds, workspace };
}

/** Sends a request, which must succeed, and returns its cost. */
function costOf(client: Client, route: Route, ids: Ids): Promise<QueryCost> {
  return proxy.measureCost(async () => {
    const { status, text } = await callRoute(client, route, ids);
    expect([text, status]).toEqual([text, route.status]);
  });
}

const ONE_ROUND_TRIP: QueryCost = { roundTrips: 1, statements: 1 };

const databaseRoutes = routes.filter(({ leastRole }) => leastRole !== 'nobody');
const routeCases = (predicate: (route: Route) => boolean) =>
  databaseRoutes.filter(predicate).map((route) => [route.route, route] as const);

// A transaction takes three round trips: BEGIN with the lock and the caller's access; the change; COMMIT
// with the outbox row or audit entry.
const TRANSACTION_ROUND_TRIPS = 3;
const roundTripsByRoute: Record<string, number> = {
  // One fewer: no row exists yet that could be locked.
  'POST /api/workspaces': 2,
  'POST /api/webhooks': 2,
  // They only read.
  'POST /api/templates/:template/render': 1,
  'POST /api/render': 1,
  // One more for the check settings of the workspace.
  'POST /api/templates/:template/check': 2,
  'POST /api/check': 1,
  'POST /api/imports': 1,
  // One for the access and the recipient, one for the document, and a transaction for the audit entry.
  'POST /api/templates/:template/test-send': 4,
  // One more to find the templates. Each further template takes two.
  'POST /api/workspaces/:workspace/publish': 4,
  // One more for the pictures in the trash.
  'DELETE /api/workspaces/:workspace': 4,
  // One for the limits, one that records the key of the file, and one that lets go of a file without use.
  'POST /api/assets?workspaceId=:workspace': 6,
  // The same, and two more to lock the picture and to release its earlier content.
  'PUT /api/assets/:asset/content': 8,
  // One more to count the usages.
  'DELETE /api/assets/:asset': 4,
  // One fewer: the statement that checks the caller's access also returns the secret.
  'GET /api/webhooks/:webhook/secret': 2,
  // One more for the owners of the workspace. PUT takes one more round trip to return the member.
  'PUT /api/workspaces/:workspace/members/:member': 5,
  'DELETE /api/workspaces/:workspace/members/:member': 4,
  // One more to unpublish everything in the environment.
  'DELETE /api/workspaces/:workspace/environments/:environment?force=true': 4,
  // One more to load the version.
  'POST /api/templates/:template/versions/:version/restore': 4,
  'POST /api/modules/:module/versions/:version/restore': 4,
  // One fewer: the statements that check the access and change the row are sent together.
  'POST /api/modules/:module/usage-updates/:update/cancel': 2,
  // One more, because separate statements change the settings and the status.
  'PUT /api/webhooks/:webhook': 4,
  // One more to measure the backlog.
  'DELETE /api/webhooks/:webhook': 4,
  // One more before the transaction, to see whether deliveries are held.
  'POST /api/webhooks/:webhook/enable': 4,
  // One for the caller's access, then one for each chunk of pending deliveries.
  'POST /api/webhooks/:webhook/deliveries/cancel': 2,
  'POST /api/webhooks/:webhook/deliveries/retry': 2,
  // More to lock the traffic, and to see whether the delivery is pending, in flight or finished.
  'POST /api/webhooks/:webhook/deliveries/:delivery/retry': 6,
  'POST /api/webhooks/:webhook/deliveries/:delivery/cancel': 5,
  // One more to count the deliveries, before the replay begins.
  'POST /api/webhooks/:webhook/replays': 4,
  // One more for the workspace whose turn a thread takes.
  'GET /api/templates/:template/versions/:version/types': 2,
  // More to cancel the deliveries, chunk by chunk.
  'POST /api/webhooks/:webhook/replays/:replay/cancel': 5,
};
const singleStatementCreations = ['POST /api/templates', 'POST /api/modules'];
const isSingleStatement = (route: Route) =>
  singleStatementCreations.includes(route.route) ||
  (isRead(route) && roundTripsByRoute[route.route] === undefined);

it.each(routeCases(isSingleStatement))('%s is one statement', async (_name, route) => {
  expect(await costOf(users.ada.client, route, sharedIds)).toEqual(ONE_ROUND_TRIP);
});

const referring = { blocks: [{ type: 'module', moduleId: ':module' }] };
it('a template with references is created by one statement', async () => {
  const route = findRoute('POST /api/templates');
  const withReferences = { ...route, body: { ...route.body, content: referring } };
  expect(await costOf(users.ada.client, withReferences, sharedIds)).toEqual(ONE_ROUND_TRIP);
});

it.each(['template', 'module'])(
  'a %s with an external id is created by one statement',
  async (kind) => {
    const route = findRoute(`POST /api/${kind}s`);
    const named = { ...route, body: { ...route.body, externalId: randomUUID() } };
    expect(await costOf(users.ada.client, named, sharedIds)).toEqual(ONE_ROUND_TRIP);
  },
);

it.each(['template', 'module'])(
  'an update of a %s by its external id takes three',
  async (kind) => {
    const route = findRoute(`PUT /api/${kind}s/by-external-id/:external?workspaceId=:workspace`);
    const ids = await createFixture([kind, 'external', 'workspace']);
    const { roundTrips } = await costOf(users.ada.client, { ...route, status: 200 }, ids);
    expect(roundTrips).toBe(TRANSACTION_ROUND_TRIPS);
  },
);

it('references add no round trip to an update', async () => {
  const ids = await createFixture(['template', 'module', 'workspace']);
  const route = { ...findRoute('PUT /api/templates/:template'), body: { content: referring } };
  const { roundTrips } = await costOf(users.ada.client, route, ids);
  expect(roundTrips).toBe(TRANSACTION_ROUND_TRIPS);
});

it.each(['rename', 'remove'])('a tag of templates and modules takes four to %s', async (change) => {
  const ids = await createFixture(['template', 'module', 'workspace']);
  const { roundTrips } = await costOf(users.ada.client, findRoute(`POST /api/tags/${change}`), ids);
  // One more to lock the documents.
  expect(roundTrips).toBe(TRANSACTION_ROUND_TRIPS + 1);
});

const templateBatch = findRoute('POST /api/templates/batch');
const moduleBatch = findRoute('POST /api/modules/batch?force=true');

const batchOf = (route: Route, operations: object[]): Route => ({
  ...route,
  body: { ...route.body, operations },
});
const updateOperation = ({ route }: Route) => ({
  action: 'update',
  id: route.includes('modules') ? ':module' : ':template',
});

const variants: [number, Route][] = [
  // One more to lock the email address.
  [
    4,
    {
      ...findRoute('POST /api/workspaces/:workspace/members'),
      body: { email: 'x@a.example', role: 'viewer' },
    },
  ],
  [
    TRANSACTION_ROUND_TRIPS,
    { ...findRoute('PUT /api/webhooks/:webhook'), body: { description: 'New' } },
  ],
  // In the orders that go forward in time, a second statement takes the low watermark, and is sent together
  // with the list's statement.
  ...['templates', 'modules'].flatMap((list) =>
    ['updatedAt', 'createdAt', 'name', '-name'].map((sort): [number, Route] => {
      const { route, ...row } = findRoute(`GET /api/${list}?workspaceId=:workspace`);
      return [1, { ...row, route: `${route}&sort=${sort}` }];
    }),
  ),
  // One more to find the documents with the external ids.
  ...[templateBatch, moduleBatch].map((route): [number, Route] => [
    4,
    batchOf(route, [{ action: 'upsert', externalId: 'new', name: 'A', content: {} }]),
  ]),
  // One more to see whether the documents have changed.
  ...[templateBatch, moduleBatch].map((route): [number, Route] => [
    ...([4, batchOf(route, [{ ...updateOperation(route), content: { a: 1 } }])] as const),
  ]),
];
const writeCases = [
  ...databaseRoutes
    .filter((route) => !isSingleStatement(route))
    .map((route): [number, Route] => [
      roundTripsByRoute[route.route] ?? TRANSACTION_ROUND_TRIPS,
      route,
    ]),
  ...variants,
].map(([expectedRoundTrips, route]) => [expectedRoundTrips, route.route, route] as const);

it.each(writeCases)('takes %i round trips in %s', async (expectedRoundTrips, _name, route) => {
  const cost = await costOf(users.ada.client, route, await createFixture(namesIn(route)));
  expect(cost.roundTrips).toBe(expectedRoundTrips);
});

it.each(routeCases(({ idempotent }) => idempotent))(
  'takes one more round trip with an idempotency key in %s',
  async (_name, route) => {
    const client = users.ada.client.with({ 'idempotency-key': randomUUID() });
    const ids = await createFixture(namesIn(route));
    // With an idempotency key, a single statement becomes a transaction.
    const baseRoundTrips = isSingleStatement(route)
      ? 2
      : (roundTripsByRoute[route.route] ?? TRANSACTION_ROUND_TRIPS);
    expect((await costOf(client, route, ids)).roundTrips).toBe(baseRoundTrips + 1);
    // One for the stored response, and one for the end of the transaction.
    expect((await costOf(client, route, ids)).roundTrips).toBe(2);
  },
);
it.each([templateBatch, moduleBatch])(
  'takes no more round trips for a thousand operations in $route',
  async (route) => {
    const ids = await createFixture(namesIn(batchOf(route, [updateOperation(route)])));
    const creations = (count: number) =>
      Array.from({ length: count }, () => ({ action: 'create', name: 'A', content: {} }));
    const update = { ...updateOperation(route), name: 'B' };
    const smallCost = await costOf(
      users.ada.client,
      batchOf(route, [update, ...creations(1)]),
      ids,
    );
    const renamed = { ...update, name: 'C' };
    const largeCost = await costOf(
      users.ada.client,
      batchOf(route, [renamed, ...creations(999)]),
      ids,
    );
    // Only the statements are compared: data in many packets looks like many round trips if the first
    // responses arrive before the last packet.
    expect(largeCost.statements).toBe(smallCost.statements);
  },
);

it.each([templateBatch, moduleBatch])(
  'does not read large documents that small ones replace in $route',
  async (route) => {
    const ids = await createFixture(['workspace']);
    // Random characters, which PostgreSQL cannot compress.
    const content = { a: randomBytes(600_000).toString('base64') };
    const creations = Array.from({ length: 3 }, () => ({ action: 'create', name: 'A', content }));
    const createResponse = await callRoute<BatchResponse>(
      users.ada.client,
      batchOf(route, creations),
      ids,
    );
    const updates = createResponse.body.data.map((result) => ({
      action: 'update',
      id: resourceOf(result).id,
      content: { a: 1 },
    }));
    const { roundTrips } = await costOf(users.ada.client, batchOf(route, updates), ids);
    expect(roundTrips).toBe(TRANSACTION_ROUND_TRIPS + 1);
  },
);

function findRoute(name: string): Route {
  const route = routes.find((candidate) => candidate.route === name);
  if (route === undefined) throw new Error(`There is no route ${name}.`);
  return route;
}

describe('a first request', () => {
  const me = findRoute('GET /api/auth/me');
  const newToken = (subject: string) =>
    galley.issuer.token(subject, { claims: { jti: randomUUID() } });
  const insertUser = (subject: string) =>
    galley.database.query(
      'INSERT INTO users (id, issuer, subject) VALUES (gen_random_uuid(), $1, $2)',
      [galley.issuer.url, subject],
    );
  async function makeKey(): Promise<string> {
    const { id } = await galley.createWorkspaceFor('ada');
    const key = { name: 'Shop', role: 'viewer' };
    const path = `/api/workspaces/${id}/keys`;
    return (await users.ada.client.post<{ key: string }>(path, key)).body.key;
  }

  const firstRequests: [what: string, cost: QueryCost, make: () => Promise<string>][] = [
    // A statement loads the user, to see whether the token reports anything new.
    ['with a new token of a known user', { roundTrips: 2, statements: 2 }, () => newToken('ada')],
    [
      'of a stored user who is new to this process',
      { roundTrips: 2, statements: 2 },
      () => insertUser('stored').then(() => newToken('stored')),
    ],
    // The statement finds no user, and a transaction of four statements creates the user.
    ['of a new user', { roundTrips: 4, statements: 6 }, () => newToken('new')],
    // A statement looks up the key, and sets `last_used_at`.
    ['with an API key', { roundTrips: 2, statements: 2 }, makeKey],
  ];

  it.each(firstRequests)(
    '%s costs %j, and the next request nothing more',
    async (_title, cost, makeToken) => {
      const client = new Client(galley.url, await makeToken());
      expect(await costOf(client, me, {})).toEqual(cost);
      expect(await costOf(client, me, {})).toEqual(ONE_ROUND_TRIP);
    },
  );
});
