import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGalley, type Galley } from '../support/galley.js';
import { peopleOf, type Person } from '../support/people.js';
import { make } from '../support/resources.js';
import { snapshot } from '../support/snapshot.js';

interface Resource {
  id: string;
}

const names = ['viewer', 'editor', 'admin', 'owner', 'member', 'newcomer'] as const;

let galley: Galley;
let people: Record<(typeof names)[number], Person>;

beforeAll(async () => {
  galley = await startGalley();
  people = await peopleOf(galley, names);
});
afterAll(() => galley.stop());

type Name = (typeof names)[number];
const clientOf = (name: Name) => people[name].client;
const idOf = (name: Name) => people[name].id;

/** A workspace with everybody but newcomer in it. */
async function makeWorkspace(): Promise<string> {
  const { id } = await galley.workspaceOf('owner');
  for (const role of ['viewer', 'editor', 'admin', 'member'] as const) {
    await setRole(id, role, role === 'member' ? 'viewer' : role);
  }
  return id;
}

const setRole = (workspace: string, name: Name, role: string) =>
  clientOf('owner').post(`/api/workspaces/${workspace}/members`, { userId: idOf(name), role });

describe('a member', () => {
  it('who is removed is refused from the very next request', async () => {
    const workspaceId = await makeWorkspace();
    const template = await make(clientOf('owner'), '/api/templates', { name: 'A', workspaceId });
    const reads = [
      ...['', '/members'].map((path) => `/api/workspaces/${workspaceId}${path}`),
      ...['templates', 'modules'].map((kind) => `/api/${kind}?workspaceId=${workspaceId}`),
      ...['', '/versions/1'].map((path) => `/api/templates/${template}${path}`),
    ];
    const statuses = async () =>
      (await Promise.all(reads.map((path) => clientOf('member').get(path)))).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual(reads.map(() => 200));
    const membership = `/api/workspaces/${workspaceId}/members/${idOf('member')}`;
    expect((await clientOf('admin').delete(membership)).status).toBe(204);
    expect(await statuses()).toEqual(reads.map(() => 403));
    const { body } = await clientOf('member').get<{ data: Resource[] }>(
      '/api/workspaces?limit=100',
    );
    expect(body.data.map(({ id }) => id)).not.toContain(workspaceId);
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
      answers.map(() => ({ statusCode: 409, code: 'conflict', message })),
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
    const id = await make(clientOf('owner'), `/api/${kind}s`, {
      name: 'A',
      workspaceId: source,
      content: {},
    });
    const before = await snapshot(galley.database);
    const answer = await clientOf('newcomer').post(`/api/${kind}s/${id}/duplicate`, {
      workspaceId: target,
    });
    expect(answer.status).toBe(status);
    if (status === 403) expect(await snapshot(galley.database)).toEqual(before);
    else expect(answer.body).toMatchObject({ name: 'A (copy)', workspaceId: target });
  });
});
