import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../../support/api/api-response.js';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { signInUsers, type TestUser } from '../../support/galley/users.js';
import { refusedTokens } from '../../support/identity/refused-tokens.js';
import { createResources } from '../../support/galley/resources.js';
import {
  callRoute,
  createsUnknown,
  isRead,
  namesIn,
  callerKinds,
  routes as routeTable,
  shapeOf,
  type Ids,
  type CallerKind,
  type Route,
} from '../../support/api/routes.js';
import { snapshot } from '../../support/galley/database-snapshot.js';

type Role = 'viewer' | 'editor' | 'admin' | 'owner';
const callerNames = [
  'outsider',
  'viewer',
  'editor',
  'admin',
  'owner',
  'member',
  'newcomer',
] as const;
const UNKNOWN_IDS: Ids = { version: '999', environment: 'unknown' };
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

let galley: Galley;
let users: Record<(typeof callerNames)[number], TestUser>;
/**
 * The ids of a workspace, of one resource of each kind, of the member whose role a request changes, and of the
 * newcomer that a request adds.
 */
let sharedIds: Ids;
/** All routes of the running API, including the routes that Fastify adds for HEAD. */
let routes: Route[];

beforeAll(async () => {
  galley = await startGalley({ mailServer: true, pictures: true });
  users = await signInUsers(galley, callerNames);
  sharedIds = await createFixture(routeTable.flatMap(namesIn), 'viewer', 'editor', 'admin');
  routes = galley.routes.flatMap((registered) => {
    const method = registered.slice(0, registered.indexOf(' '));
    const shape = shapeOf(registered.replace('HEAD', 'GET'));
    const row = routeTable.find(({ route }) => shapeOf(route) === shape);
    return row ? [{ ...row, route: row.route.replace(/^\w+/, method) }] : [];
  });
});
afterAll(() => galley.stop());

/** Creates a workspace with one member for each of `roles`, and one resource for each of `resources`. */
async function createFixture(resources: readonly string[], ...roles: CallerKind[]): Promise<Ids> {
  const { client, id: ownerId } = users.owner;
  const { id: workspace } = await galley.createWorkspaceFor('owner');
  const members = roles.map((role) => [users[role as Role].id, role]);
  if (resources.includes('member')) members.push([users.member.id, 'viewer']);
  for (const [userId, role] of members.filter(([userId]) => userId !== ownerId)) {
    await client.post(`/api/workspaces/${workspace}/members`, { userId, role });
  }
  const resourceIds = await createResources(client, galley.database, workspace, resources);
  return { ...resourceIds, workspace, member: users.member.id, newcomer: users.newcomer.id };
}

type ExpectedResponse = [status: number, text: unknown];
const expectedError = (statusCode: number, code: string, message: string): ExpectedResponse => [
  statusCode,
  JSON.stringify({ statusCode, code, message }),
];

/** The response that a caller of this kind must get. */
function expectedResponse(
  { leastRole, status, forKeys }: Route,
  rank: CallerKind,
  isKey = false,
): ExpectedResponse {
  const isAllowed =
    callerKinds.indexOf(rank) >= callerKinds.indexOf(leastRole) && (forKeys || !isKey);
  if (isAllowed) return [status, expect.any(String)];
  return rank === 'nobody'
    ? expectedError(401, 'unauthorized', 'Unauthorized')
    : expectedError(403, 'forbidden', 'Forbidden');
}

const attemptedCalls: string[] = [];

// At most 100 requests of one user may wait in the API.
const MAX_AT_ONCE = 50;

/** Sends many requests at once, and compares the responses. */
async function expectResponses(
  calledRoutes: readonly Route[],
  send: (route: Route) => Promise<ApiResponse<unknown>>,
  expectedOf: (route: Route) => ExpectedResponse,
): Promise<void> {
  const responses: unknown[] = [];
  for (let start = 0; start < calledRoutes.length; start += MAX_AT_ONCE) {
    const chunk = calledRoutes.slice(start, start + MAX_AT_ONCE).map(async (route) => {
      const { status, text } = await send(route);
      return [route.route, status, text];
    });
    responses.push(...(await Promise.all(chunk)));
  }
  const expectedResponses = calledRoutes.map((route) => {
    const [status, text] = expectedOf(route);
    return [route.route, status, route.route.startsWith('HEAD ') ? '' : text];
  });
  expect(responses).toEqual(expectedResponses);
}

async function expectNoChange(work: () => Promise<void>): Promise<void> {
  const before = await snapshot(galley.database);
  await work();
  expect(await snapshot(galley.database)).toEqual(before);
}

it('has one row in the table for each route', () => {
  const registered = galley.routes.filter((route) => !route.startsWith('HEAD '));
  expect(registered.map(shapeOf).sort()).toEqual(
    routeTable.map(({ route }) => shapeOf(route)).sort(),
  );
});

describe('a token', () => {
  it.each(refusedTokens)('that %s is refused by every route', async (title, makeToken) => {
    const { workspace = '' } = sharedIds;
    const token = await makeToken({ galley, workspace, owner: users.owner.client });
    const client = new Client(galley.url, token);
    const send = (route: Route) => {
      attemptedCalls.push(`${title}: ${route.route}`);
      return callRoute(client, route, sharedIds);
    };
    await expectNoChange(() =>
      expectResponses(routes, send, (route) => expectedResponse(route, 'nobody')),
    );
  });
});

describe('a body', () => {
  it.each([
    ['no token', {}] as const,
    ['an invalid token', { authorization: 'Bearer bad' }] as const,
  ])('is not read if the caller has %s', async (_title, headers) => {
    const statusOf = async ({ route }: Route) => {
      const [method = '', path = ''] = route.split(' ');
      const clientRequest = request(new URL(path, galley.url), {
        method,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': 1_000_000 },
      });
      clientRequest.write('{');
      const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
      clientRequest.on('error', () => undefined).destroy();
      return [route, response.statusCode];
    };
    const protectedRoutes = routes.filter(
      (route) => !isRead(route) && route.leastRole !== 'nobody',
    );
    expect(await Promise.all(protectedRoutes.map(statusOf))).toEqual(
      protectedRoutes.map(({ route }) => [route, 401]),
    );
  });
});

const callers: [caller: string, rank: Exclude<CallerKind, 'nobody'>, isKey: boolean][] = [
  ['an outsider', 'outsider', false],
  ['a viewer', 'viewer', false],
  ['an editor', 'editor', false],
  ['an admin', 'admin', false],
  ['an owner', 'owner', false],
  ["a viewer's key", 'viewer', true],
  ["an editor's key", 'editor', true],
  ["an admin's key", 'admin', true],
];

describe.each(callers)('%s', (caller, rank, isKey) => {
  const expectedOf = (route: Route) => expectedResponse(route, rank, isKey);
  const isAllowed = (route: Route) => expectedOf(route)[0] === route.status;

  /**
   * Returns a client for the caller. An API key belongs to one workspace, so a key is created there. It is
   * used once, because its first use sets `last_used_at`, which the tests would see as a change.
   */
  async function clientFor({ workspace = '' }: Ids): Promise<Client> {
    if (!isKey) return users[rank].client;
    const key = { name: caller, role: rank };
    const path = `/api/workspaces/${workspace}/keys`;
    const { body } = await users.owner.client.post<{ key: string }>(path, key);
    const client = new Client(galley.url, body.key);
    expect((await client.get('/api/auth/me')).status).toBe(200);
    return client;
  }

  it('is refused routes above its role, and changes nothing', async () => {
    const client = await clientFor(sharedIds);
    const send = (route: Route) => {
      attemptedCalls.push(`${caller}: ${route.route}`);
      return callRoute(client, route, sharedIds);
    };
    const refusedRoutes = routes.filter((route) => !isAllowed(route));
    await expectNoChange(() => expectResponses(refusedRoutes, send, expectedOf));
  });

  it('is served routes within its role', async () => {
    const client = await clientFor(sharedIds);
    const send = async (route: Route) => {
      attemptedCalls.push(`${caller}: ${route.route}`);
      if (isRead(route)) return callRoute(client, route, sharedIds);
      const fixture = await createFixture(
        namesIn(route),
        ...(isKey || rank === 'outsider' ? [] : [rank]),
      );
      return callRoute(await clientFor(fixture), route, fixture);
    };
    await expectResponses(routes.filter(isAllowed), send, expectedOf);
  });

  it('gets 404 for missing resources, and changes nothing', async () => {
    const client = await clientFor(sharedIds);
    const notFoundText = expect.stringMatching(/"There is no such \w+\."/) as unknown;
    for (const position of [0, 1]) {
      const idNameAt = (route: Route) => namesIn(route)[position] ?? '';
      const send = (route: Route) => {
        const name = idNameAt(route);
        return callRoute(client, route, { ...sharedIds, [name]: UNKNOWN_IDS[name] ?? UNKNOWN_ID });
      };
      // Every caller gets 404 for an unknown first id. Only callers whose role allows the route get 404 for
      // an unknown second id.
      const getsNotFound = (route: Route) => position === 0 || isAllowed(route);
      const isTried = (route: Route) =>
        idNameAt(route) !== '' && !(position === 1 && createsUnknown(route));
      await expectNoChange(() =>
        expectResponses(routes.filter(isTried), send, (route) =>
          getsNotFound(route) ? [404, notFoundText] : expectedOf(route),
        ),
      );
    }
  });
});

const past = '2026-01-01T00:00:00Z';
const inconsistentBodies: [route: string, body: Record<string, unknown>][] = [
  ['POST /api/tags/rename', { workspaceId: ':workspace', name: 'sale', newName: ' sale ' }],
  ['POST /api/webhooks', { workspaceId: ':workspace', url: 'https://10.0.0.1/', events: ['*'] }],
  ['PUT /api/webhooks/:webhook', { url: 'https://10.0.0.1/' }],
  ['POST /api/webhooks/:webhook/replays', { since: past, until: past }],
  ['POST /api/webhooks/:webhook/replays', { since: past, until: past, dryRun: true }],
  ['POST /api/workspaces/:workspace/keys', { name: 'A', role: 'viewer', expiresAt: past }],
  ['POST /api/templates/:template/publish', { version: 1, at: past }],
  ['POST /api/modules/:module/update-usages', { toVersion: 9, all: true }],
];

it.each(inconsistentBodies)(
  '%s with %j gets 403 from a caller without the role, and 400 from an owner',
  async (route, body) => {
    const statusFor = async ({ client }: TestUser) =>
      (await callRoute(client, { route, body }, sharedIds)).status;
    expect([await statusFor(users.outsider), await statusFor(users.owner)]).toEqual([403, 400]);
  },
);

it('has been tried on every route', () => {
  const expectedCalls = [...refusedTokens, ...callers].flatMap(([caller]) =>
    routes.map(({ route }) => `${caller}: ${route}`),
  );
  expect(attemptedCalls.sort()).toEqual(expectedCalls.sort());
});

it('a webhook by an outsider or viewer is refused without waiting for the lock of the workspace', async () => {
  const { workspace } = await createFixture(['workspace'], 'viewer');
  const releaseLock = await galley.database.holdLock(
    'SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE',
    [workspace],
  );
  const body = { workspaceId: workspace, url: 'https://example.com/', events: ['module.created'] };
  for (const name of ['outsider', 'viewer'] as const) {
    expect((await users[name].client.post('/api/webhooks', body)).status).toBe(403);
  }
  await releaseLock();
});
