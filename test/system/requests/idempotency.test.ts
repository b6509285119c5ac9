import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { untilAdmitted, type ApiResponse } from '../../support/api/api-response.js';
import { Client, comparableResponse } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { signInUsers, type TestUser } from '../../support/galley/users.js';
import { createResources } from '../../support/galley/resources.js';
import {
  callRoute,
  namesIn,
  callerKinds,
  routes,
  shapeOf,
  type Ids,
  type Route,
} from '../../support/api/routes.js';
import { expectNoChange, rowsAddedBy } from '../../support/galley/database-snapshot.js';
import { itRaces } from '../../support/it-races.js';

let galley: Galley;
let users: Record<'ada' | 'bob' | 'eve', TestUser>;

beforeAll(async () => {
  galley = await startGalley({ pictures: true });
  users = await signInUsers(galley, ['ada', 'bob', 'eve']);
});
afterAll(() => galley.stop());

const adaWithKey = (key: string = randomUUID()) =>
  users.ada.client.with({ 'idempotency-key': key });

async function createFixture(route: Route): Promise<Ids> {
  const { id: workspace } = await galley.createWorkspaceFor('ada');
  const { client } = users.ada;
  const resourceIds = await createResources(client, galley.database, workspace, namesIn(route));
  return { ...resourceIds, workspace, newcomer: users.eve.id };
}

const idempotentRoutes = routes.filter(({ idempotent }) => idempotent);

it('a key is accepted by every POST that creates something, and by nothing else', async () => {
  const { paths } = JSON.parse(await readFile('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { parameters?: { $ref?: string }[] }>>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { parameters }]) => parameters?.some(({ $ref }) => $ref?.endsWith('cy-Key')))
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, ':')}`),
  );
  expect(documented.sort()).toEqual(idempotentRoutes.map(({ route }) => shapeOf(route)).sort());
});

describe.each(idempotentRoutes.map((route) => [route.route, route] as const))(
  '%s',
  (_name, route) => {
    itRaces('has one effect and one response for 50 concurrent requests', async () => {
      const [otherIds, ids] = [await createFixture(route), await createFixture(route)];
      let responseWithoutKey: ReturnType<typeof comparableResponse> | undefined;
      const addedWithoutKey = await rowsAddedBy(galley.database, async () => {
        responseWithoutKey = comparableResponse(await callRoute(users.ada.client, route, otherIds));
      });
      const client = adaWithKey();
      let responses: ApiResponse<{ id?: string }>[] = [];
      const added = await rowsAddedBy(galley.database, async () => {
        const pendingResponses = Array.from({ length: 50 }, () =>
          untilAdmitted(() => callRoute<{ id?: string }>(client, route, ids)),
        );
        responses = await Promise.all(pendingResponses);
      });
      expect(added).toEqual({ ...addedWithoutKey, idempotency_keys: 1 });
      const [first, ...others] = responses.map(comparableResponse);
      expect([first?.text, first?.status]).toEqual([first?.text, route.status]);
      for (const response of others) expect(response).toEqual(first);
      expect(Object.keys(first?.headers ?? {})).toEqual(
        Object.keys(responseWithoutKey?.headers ?? {}),
      );
      expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(50);
    });

    it('repeats its response as long as the caller has the required rights', async () => {
      const ids = await createFixture(route);
      const { ada: owner, bob } = users;
      const isInWorkspace = namesIn(route).length > 0;
      const membersPath = (id: string | undefined) => `/api/workspaces/${id}/members`;
      const requiredRole = isInWorkspace ? route.leastRole : 'owner';
      if (isInWorkspace) {
        await owner.client.post(membersPath(ids['workspace']), {
          userId: bob.id,
          role: requiredRole,
        });
      }
      const sender = bob.client.with({ 'idempotency-key': randomUUID() });
      const send = () => callRoute<{ id: string }>(sender, route, ids);
      const first = await send();
      expect([first.text, first.status]).toEqual([first.text, route.status]);
      const workspace = isInWorkspace ? ids['workspace'] : first.body.id;
      if (!isInWorkspace) {
        await bob.client.post(membersPath(workspace), { userId: owner.id, role: 'owner' });
      }
      const path = `${membersPath(workspace)}/${bob.id}`;
      const expectReplayed = async () =>
        expect(comparableResponse(await send())).toEqual(comparableResponse(first));
      const expectRefused = (status: number, message: string) =>
        expectNoChange(galley.database, async () => {
          const { body } = await send();
          expect(body).toEqual({
            statusCode: status,
            code: expect.any(String) as unknown,
            message,
          });
        });

      await expectNoChange(galley.database, expectReplayed);
      for (const role of ['viewer', 'editor', 'admin', 'owner'] as const) {
        await owner.client.put(path, { role });
        // Every member may read the workspace that this request has created.
        const isAllowed =
          callerKinds.indexOf(role) >= callerKinds.indexOf(isInWorkspace ? requiredRole : 'viewer');
        await (isAllowed ? expectReplayed() : expectRefused(403, 'Forbidden'));
      }
      await owner.client.delete(path);
      await expectRefused(403, 'Forbidden');
      await owner.client.post(membersPath(workspace), { userId: bob.id, role: requiredRole });
      await expectReplayed();
      const setStatus = (status: string) =>
        galley.database.query('UPDATE users SET status = $1 WHERE id = $2', [status, bob.id]);
      for (const status of ['deactivated', 'deleted']) {
        await setStatus(status);
        await expectRefused(401, 'Unauthorized');
      }
      await setStatus('active');
      await expectReplayed();
      await owner.client.delete(`/api/workspaces/${workspace}?force=true`);
      await expectRefused(404, 'There is no such workspace.');
    });

    (route.forKeys ? it : it.skip)(
      'does not repeat its response to a revoked API key',
      async () => {
        const ids = await createFixture(route);
        const keysPath = `/api/workspaces/${ids['workspace']}/keys`;
        const { body } = await users.ada.client.post<{ id: string; key: string }>(keysPath, {
          name: 'Shop',
          role: route.leastRole,
        });
        const client = new Client(galley.url, body.key, { 'idempotency-key': randomUUID() });
        const first = await callRoute(client, route, ids);
        expect(first.status).toBe(route.status);
        expect(comparableResponse(await callRoute(client, route, ids))).toEqual(
          comparableResponse(first),
        );
        await users.ada.client.delete(`${keysPath}/${body.id}`);
        await expectNoChange(galley.database, async () => {
          expect((await callRoute<{ message: string }>(client, route, ids)).body.message).toBe(
            'Unauthorized',
          );
        });
      },
    );
  },
);
