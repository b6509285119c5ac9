import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { signInUsers, type TestUser } from '../../support/galley/users.js';
import { createResource } from '../../support/galley/resources.js';
import { snapshot } from '../../support/galley/database-snapshot.js';
import { itRaces } from '../../support/it-races.js';

interface Resource {
  id: string;
}

const userNames = ['viewer', 'editor', 'admin', 'owner', 'member', 'newcomer'] as const;

let galley: Galley;
let users: Record<(typeof userNames)[number], TestUser>;

beforeAll(async () => {
  galley = await startGalley();
  users = await signInUsers(galley, userNames);
});
afterAll(() => galley.stop());

type UserName = (typeof userNames)[number];
const clientOf = (name: UserName) => users[name].client;
const idOf = (name: UserName) => users[name].id;

/** Creates a workspace whose members are all users except the newcomer. */
async function makeWorkspace(): Promise<string> {
  const { id } = await galley.createWorkspaceFor('owner');
  for (const role of ['viewer', 'editor', 'admin', 'member'] as const) {
    await setRole(id, role, role === 'member' ? 'viewer' : role);
  }
  return id;
}

const setRole = (workspace: string, name: UserName, role: string) =>
  clientOf('owner').post(`/api/workspaces/${workspace}/members`, { userId: idOf(name), role });

describe('a member', () => {
  it('is refused from the next request after being removed', async () => {
    const workspaceId = await makeWorkspace();
    const templateId = await createResource(clientOf('owner'), '/api/templates', {
      name: 'A',
      workspaceId,
    });
    const readPaths = [
      ...['', '/members'].map((path) => `/api/workspaces/${workspaceId}${path}`),
      ...['templates', 'modules'].map((kind) => `/api/${kind}?workspaceId=${workspaceId}`),
      ...['', '/versions/1'].map((path) => `/api/templates/${templateId}${path}`),
    ];
    const readStatuses = async () =>
      (await Promise.all(readPaths.map((path) => clientOf('member').get(path)))).map(
        ({ status }) => status,
      );
    expect(await readStatuses()).toEqual(readPaths.map(() => 200));
    const membership = `/api/workspaces/${workspaceId}/members/${idOf('member')}`;
    expect((await clientOf('admin').delete(membership)).status).toBe(204);
    expect(await readStatuses()).toEqual(readPaths.map(() => 403));
    const { body } = await clientOf('member').get<{ data: Resource[] }>(
      '/api/workspaces?limit=100',
    );
    expect(body.data.map(({ id }) => id)).not.toContain(workspaceId);
  });

  it('has a new role from the next request on', async () => {
    const workspace = await makeWorkspace();
    const memberPath = `/api/workspaces/${workspace}/members/${idOf('member')}`;
    const createStatus = async () =>
      (await clientOf('member').post('/api/templates', { name: 'A', workspaceId: workspace }))
        .status;
    expect(await createStatus()).toBe(403);
    await clientOf('admin').put(memberPath, { role: 'editor' });
    expect(await createStatus()).toBe(201);
    await clientOf('admin').put(memberPath, { role: 'viewer' });
    expect(await createStatus()).toBe(403);
  });

  it('may leave, whatever the role', async () => {
    const members = `/api/workspaces/${await makeWorkspace()}/members`;
    for (const name of ['viewer', 'editor', 'admin', 'member'] as const) {
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
  it('is appointed and demoted only by owners', async () => {
    const members = `/api/workspaces/${await makeWorkspace()}/members`;
    const newMember = { userId: idOf('newcomer'), role: 'owner' };
    const asAdmin = [
      await clientOf('admin').post(members, newMember),
      await clientOf('admin').put(`${members}/${idOf('member')}`, { role: 'owner' }),
      await clientOf('admin').put(`${members}/${idOf('admin')}`, { role: 'owner' }),
      await clientOf('admin').put(`${members}/${idOf('owner')}`, { role: 'viewer' }),
      await clientOf('admin').delete(`${members}/${idOf('owner')}`),
    ];
    expect(asAdmin.map(({ status }) => status)).toEqual(asAdmin.map(() => 403));
    const asOwner = [
      await clientOf('owner').post(members, newMember),
      await clientOf('owner').put(`${members}/${idOf('member')}`, { role: 'owner' }),
      await clientOf('owner').put(`${members}/${idOf('newcomer')}`, { role: 'viewer' }),
      await clientOf('owner').delete(`${members}/${idOf('member')}`),
    ];
    expect(asOwner.map(({ status }) => status)).toEqual([201, 200, 200, 204]);
  });

  it('can neither leave nor step down as the last one', async () => {
    const ownMembershipPath = `/api/workspaces/${await makeWorkspace()}/members/${idOf('owner')}`;
    const before = await snapshot(galley.database);
    const responses = [
      await clientOf('owner').delete(ownMembershipPath),
      await clientOf('owner').put(ownMembershipPath, { role: 'admin' }),
    ];
    const message = 'A workspace must have an owner; make another member an owner first.';
    expect(responses.map(({ body }) => body)).toEqual(
      responses.map(() => ({ statusCode: 409, code: 'last_owner', message })),
    );
    expect(await snapshot(galley.database)).toEqual(before);
    expect((await clientOf('owner').put(ownMembershipPath, { role: 'owner' })).status).toBe(200);
  });

  itRaces('stays even if two owners demote each other at the same time', async () => {
    for (let round = 1; round <= 5; round++) {
      const workspace = await makeWorkspace();
      const members = `/api/workspaces/${workspace}/members`;
      await clientOf('owner').put(`${members}/${idOf('member')}`, { role: 'owner' });
      const responses = await Promise.all([
        clientOf('owner').put(`${members}/${idOf('member')}`, { role: 'viewer' }),
        clientOf('member').put(`${members}/${idOf('owner')}`, { role: 'viewer' }),
      ]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
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
  ])(
    'by a %s of the source who is %s of the target is %i',
    async (sourceRole, targetRole, status) => {
      const workspaces = [
        await galley.createWorkspaceFor('owner'),
        await galley.createWorkspaceFor('owner'),
      ];
      const [source = '', target = ''] = workspaces.map(({ id }) => id);
      if (sourceRole !== 'none') await setRole(source, 'newcomer', sourceRole);
      if (targetRole !== 'none') await setRole(target, 'newcomer', targetRole);
      const id = await createResource(clientOf('owner'), `/api/${kind}s`, {
        name: 'A',
        workspaceId: source,
        content: {},
      });
      const before = await snapshot(galley.database);
      const response = await clientOf('newcomer').post(`/api/${kind}s/${id}/duplicate`, {
        workspaceId: target,
      });
      expect(response.status).toBe(status);
      if (status === 403) expect(await snapshot(galley.database)).toEqual(before);
      else expect(response.body).toMatchObject({ name: 'A (copy)', workspaceId: target });
    },
  );
});
