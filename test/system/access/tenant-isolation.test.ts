import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadWorkerConfig } from '#config';
import { createWorker } from '../../../apps/worker/worker.js';
import type { ApiResponse } from '../../support/api/api-response.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import {
  callRoute,
  createsUnknown,
  namesIn,
  routes,
  type Ids,
  type Route,
} from '../../support/api/routes.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { snapshot } from '../../support/galley/database-snapshot.js';
import {
  firstIds,
  identifyingTexts,
  createTenant,
  readAll,
  readRoutes,
  type Tenant,
} from '../../support/galley/tenant.js';

let galley: Galley;
let receiver: Receiver;
let worker: NestFastifyApplication;
let otherTenant: Tenant;
let ownTenant: Tenant;
/** Texts that identify the other tenant. No response to my tenant may contain them. */
let foreignMarks: string[];
/** The responses to my tenant before the other tenant was created. */
let readsBefore: Map<string, string>;

async function startWorker(): Promise<void> {
  worker = await createWorker(loadWorkerConfig(galley.environment));
  await worker.init();
}

beforeAll(async () => {
  [galley, receiver] = await Promise.all([startGalley(), Receiver.start()]);
  await startWorker();
  ownTenant = await createTenant(galley, receiver, 'sparrow', 2);
  readsBefore = await readAll(ownTenant);
  otherTenant = await createTenant(galley, receiver, 'nightingale', 3);
  foreignMarks = await identifyingTexts(otherTenant);
  // The worker stops here, so that from now on only requests change anything.
  await worker.close();
});
afterAll(async () => {
  await galley.stop();
  await receiver.stop();
});

const leakedMarks = ({ text, headers }: ApiResponse<unknown>): string[] => {
  const fullText = `${text} ${JSON.stringify([...headers])}`;
  return foreignMarks.filter((mark) => fullText.includes(mark));
};

async function expectNoChange(work: () => Promise<void>): Promise<void> {
  const snapshotBefore = await snapshot(galley.database);
  await work();
  expect(await snapshot(galley.database)).toEqual(snapshotBefore);
}

it('the identifying texts of a workspace occur in its responses', async () => {
  const readsWithoutMarks = [...(await readAll(otherTenant))].filter(
    ([, text]) => !foreignMarks.some((mark) => text.includes(mark)),
  );
  // These responses contain only times, numbers and plain words, which identify no workspace.
  expect(readsWithoutMarks.map(([route]) => route.replace(/\?.*/, ''))).toEqual([
    'GET /api/workspaces/:workspace/check-settings',
    'GET /api/templates/:template/translations',
    'GET /api/modules/:module/translations',
    'GET /api/webhooks/:webhook/transitions',
    'GET /api/webhooks/:webhook/health',
    'GET /api/webhooks/:webhook/stats',
    'GET /api/webhooks/stats',
  ]);
});

it("a workspace's responses do not change when another tenant is created", async () => {
  expect(await readAll(ownTenant)).toEqual(readsBefore);
});

const FORBIDDEN = '{"statusCode":403,"code":"forbidden","message":"Forbidden"}';
const isMissing: unknown = expect.stringMatching(
  /^\{"statusCode":404,"code":"not_found","message":"There is no such \w+\."(,"details":\[[^\]]*\])?\}$/,
);

interface IdAttempt {
  ids: Ids;
  expected: [status: number, text: unknown];
}

/**
 * Each id of the other tenant in each place of a route, with an id of my tenant in the other place. If a
 * route has two places, one more attempt has ids of the other tenant in both. An external id is free in each workspace,
 * so a route that creates what it does not find has only one place.
 */
function attemptsFor(route: Route): IdAttempt[] {
  const ownIds = firstIds(ownTenant);
  const foreignIds = firstIds(otherTenant);
  // No id is tried in the place of `newcomer`: a user belongs to no tenant, so any tenant may add any user by
  // id.
  const [firstName = '', secondName] = namesIn(route).filter((name) => name !== 'newcomer');
  const foreignIdPairs = Object.entries(otherTenant.ids).flatMap(([kind, ids]) =>
    ids.map((id) => [kind, id] as const),
  );
  return [
    ...foreignIdPairs.map(([kind, id]): IdAttempt => ({
      ids: { ...ownIds, [firstName]: id },
      expected: kind === firstName ? [403, FORBIDDEN] : [404, isMissing],
    })),
    ...(secondName === undefined || createsUnknown(route)
      ? []
      : [
          { ids: foreignIds, expected: [403, FORBIDDEN] } satisfies IdAttempt,
          ...foreignIdPairs.map(([, id]): IdAttempt => ({
            ids: { ...ownIds, [secondName]: id },
            expected: [404, isMissing],
          })),
        ]),
  ];
}

const routesWithIds = routes.filter((route) => namesIn(route).length > 0);

const replay = { since: '2026-01-01T00:00:00Z', dryRun: true };
const newMember = { userId: ':foreign', role: 'viewer' };
const foreignWorkspaceBody = { workspaceId: ':foreign' };
const ownWorkspaceBody = { workspaceId: ':workspace' };
/**
 * In each case, `:foreign` is the id of a resource of the other tenant; the second field is the kind of
 * that resource. All other placeholders are ids of my tenant.
 */
const bodyCases: [route: string, foreign: string, body: Record<string, unknown>, status: number][] =
  [
    ['PUT /api/templates/:template', 'workspace', foreignWorkspaceBody, 400],
    ['PUT /api/modules/:module', 'workspace', foreignWorkspaceBody, 400],
    ['PUT /api/webhooks/:webhook', 'workspace', foreignWorkspaceBody, 400],
    ['PUT /api/templates/:template', 'template', { id: ':foreign' }, 400],
    ['PUT /api/modules/:module', 'module', { id: ':foreign' }, 400],
    ['PUT /api/webhooks/:webhook', 'webhook', { id: ':foreign' }, 400],
    ['POST /api/templates/:template/duplicate', 'workspace', foreignWorkspaceBody, 403],
    ['POST /api/modules/:module/duplicate', 'workspace', foreignWorkspaceBody, 403],
    ['POST /api/templates/:foreign/duplicate', 'template', ownWorkspaceBody, 403],
    ['POST /api/modules/:foreign/duplicate', 'module', ownWorkspaceBody, 403],
    ['POST /api/workspaces/:workspace/members', 'robot', newMember, 404],
    // The response is 200 with a count of zero.
    [
      'POST /api/modules/:module/update-usages',
      'template',
      { toVersion: 1, templateIds: [':foreign'], dryRun: true },
      200,
    ],
    ['POST /api/webhooks/:webhook/replays', 'template', { ...replay, resourceId: ':foreign' }, 200],
  ];

interface PagedRoute {
  route: Route;
  cursor: string;
}

const getPage = (client: Client, tenant: Tenant, { route }: Route, query: string) =>
  callRoute<{ nextCursor?: string | null }>(
    client,
    { route: `${route}${route.includes('?') ? '&' : '?'}limit=1${query}` },
    firstIds(tenant),
  );

/** Every route that returns a list in pages, with the cursor of its second page. */
async function pagedRoutesOf(tenant: Tenant): Promise<PagedRoute[]> {
  const pendingRoutes = readRoutes.map(async (route) => {
    const { body } = await getPage(tenant.owner, tenant, route, '');
    return 'nextCursor' in body ? [{ route, cursor: String(body.nextCursor) }] : [];
  });
  return (await Promise.all(pendingRoutes)).flat();
}

describe.each(['owner', 'service'] as const)('the %s of one workspace', (callerKind) => {
  // The first use of a key sets `last_used_at`, which the tests would see as a change.
  beforeAll(() => ownTenant[callerKind].get('/api/auth/me'));

  it.each(routesWithIds.map((route) => [route.route, route] as const))(
    'gets nothing of another workspace by ids in %s',
    async (_name, route) => {
      const attempts = attemptsFor(route);
      await expectNoChange(async () => {
        const responses = attempts.map(async ({ ids }) => {
          const response = await callRoute(ownTenant[callerKind], route, ids);
          return [ids, response.status, response.text, leakedMarks(response)];
        });
        const expectedResponses = attempts.map(({ ids, expected }) => [ids, ...expected, []]);
        expect(await Promise.all(responses)).toEqual(expectedResponses);
      });
    },
  );

  it('gets nothing of another workspace by cursors', async () => {
    const foreignLists = await pagedRoutesOf(otherTenant);
    expect(foreignLists).toHaveLength(17);
    expect(foreignLists.map(({ cursor }) => cursor)).not.toContain('null');
    for (const { route } of foreignLists) {
      for (const { cursor } of foreignLists) {
        const response = await getPage(
          ownTenant[callerKind],
          ownTenant,
          route,
          `&cursor=${cursor}`,
        );
        expect([route.route, response.status, leakedMarks(response)]).toEqual([
          route.route,
          400,
          [],
        ]);
        expect(response.text).toContain('cursor must be the nextCursor of the same list');
      }
    }
    for (const { route, cursor } of foreignLists.filter(({ route }) => namesIn(route).length > 0)) {
      const { status, text } = await getPage(
        ownTenant[callerKind],
        otherTenant,
        route,
        `&cursor=${cursor}`,
      );
      expect([route.route, status, text]).toEqual([route.route, 403, FORBIDDEN]);
    }
  });

  it.each(bodyCases)(
    'gets nothing of another workspace in %s by the id of a %s in %j',
    async (...bodyCase) => {
      const [route, kind, body, status] = bodyCase;
      const ids = { ...firstIds(ownTenant), foreign: firstIds(otherTenant)[kind] ?? '' };
      await expectNoChange(async () => {
        const response = await callRoute(ownTenant[callerKind], { route, body }, ids);
        expect([response.status, response.text, leakedMarks(response)]).toEqual([
          status,
          status === 200 ? '{"count":0}' : expect.any(String),
          [],
        ]);
      });
    },
  );
});

it("receives no event of another workspace, although it subscribes to that workspace's resources", async () => {
  const { owner, ids } = ownTenant;
  const [theirTemplateId = '', ownTemplateId = ''] = [otherTenant, ownTenant].map(
    (tenant) => firstIds(tenant)['template'],
  );
  const ownReceiver = await Receiver.start();
  await startWorker();
  try {
    const { body: endpoint, status } = await owner.post<{ id: string }>('/api/webhooks', {
      workspaceId: ids['workspace']?.[0],
      url: ownReceiver.url,
      resourceIds: [theirTemplateId, ownTemplateId],
      events: ['template.updated'],
    });
    // A filter accepts ids of past and future resources, so accepting an id does not show whether the
    // resource exists.
    expect(status).toBe(201);
    const notifiedBefore = receiver.received.length;
    await otherTenant.owner.put(`/api/templates/${theirTemplateId}`, { name: 'For their own' });
    await eventually("the other tenant's event", () => receiver.received.length > notifiedBefore);
    await owner.put(`/api/templates/${ownTemplateId}`, { name: 'For me' });
    await eventually('my event', () => ownReceiver.received.length > 0);
    const { body } = await owner.get<{ data: { resourceId: string }[] }>(
      `/api/webhooks/${endpoint.id}/deliveries`,
    );
    expect(body.data.map(({ resourceId }) => resourceId)).toEqual([ownTemplateId]);
    expect(
      ownReceiver.received.map(({ body }) => foreignMarks.filter((mark) => body.includes(mark))),
    ).toEqual([[]]);
  } finally {
    await worker.close();
    await ownReceiver.stop();
  }
});
