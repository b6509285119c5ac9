import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';
import { signInUsers, type TestUser } from '../../support/galley/users.js';

interface Workspace {
  id: string;
  name: string;
  role: string;
}

const galley = useSharedGalley();
let users: Record<'ada' | 'bob', TestUser>;
let workspaceId: string;
let path: string;

beforeAll(async () => {
  users = await signInUsers(galley, ['ada', 'bob']);
});
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
  path = `/api/workspaces/${workspaceId}`;
});

const addBob = (role: string) =>
  users.ada.client.post(`${path}/members`, { userId: users.bob.id, role });
const changeRoleOf = (user: TestUser, role: string) =>
  users.ada.client.put(`${path}/members/${user.id}`, { role });
const readAs = ({ client }: TestUser, headers: Record<string, string> = {}) =>
  client.with(headers).get<Workspace>(path);

async function roleInList(client: Client): Promise<string | undefined> {
  const { body } = await client.get<{ data: Workspace[] }>('/api/workspaces?limit=100');
  return body.data.find(({ id }) => id === workspaceId)?.role;
}

it.each(['viewer', 'editor', 'admin', 'owner'])(
  'a workspace shows its %s that role, and its creator another',
  async (role) => {
    await addBob(role);
    expect((await readAs(users.bob)).body.role).toBe(role);
    expect(await roleInList(users.bob.client)).toBe(role);
    expect((await readAs(users.ada)).body.role).toBe('owner');
    expect(await roleInList(users.ada.client)).toBe('owner');
  },
);

it('a workspace shows an API key the role of the key', async () => {
  const { body } = await users.ada.client.post<{ key: string }>(`${path}/keys`, {
    name: 'Shop',
    role: 'editor',
  });
  const service = new Client(galley.url, body.key);
  expect((await service.get<Workspace>(path)).body.role).toBe('editor');
  expect(await roleInList(service)).toBe('editor');
});

it('the role is in the responses to a creation and to a change, and can be sent back as it was read', async () => {
  const { ada } = users;
  const created = await ada.client.post<Workspace>('/api/workspaces', { name: 'A' });
  expect(created.body.role).toBe('owner');
  const workspacePath = `/api/workspaces/${created.body.id}`;
  const unchanged = await ada.client.put<Workspace>(workspacePath, created.body);
  expect([unchanged.status, unchanged.body]).toEqual([200, created.body]);
  const renamed = await ada.client.put<Workspace>(workspacePath, { ...created.body, name: 'B' });
  expect(renamed.body).toMatchObject({ name: 'B', role: 'owner' });
});

it('another role than the own one is refused', async () => {
  for (const role of ['viewer', 'emperor', null, 7]) {
    const { status, body } = await users.ada.client.put<object>(path, { name: 'A', role });
    expect([status, body]).toMatchObject([400, { details: [{ path: 'role' }] }]);
  }
});

it('a changed role is not hidden by a copy of the workspace that the client has', async () => {
  await addBob('viewer');
  const etag = (await readAs(users.bob)).headers.get('etag') ?? '';
  expect((await readAs(users.bob, { 'if-none-match': etag })).status).toBe(304);
  const etagOfAda = (await readAs(users.ada)).headers.get('etag') ?? '';

  await changeRoleOf(users.bob, 'owner');
  const reread = await readAs(users.bob, { 'if-none-match': etag });
  expect([reread.status, reread.body.role]).toEqual([200, 'owner']);
  expect((await readAs(users.ada, { 'if-none-match': etagOfAda })).status).toBe(304);

  const change = (ifMatch: string) =>
    users.bob.client.with({ 'if-match': ifMatch }).put(path, { name: 'B' });
  // Bob read this ETag as a viewer. The ETag depends on his role, so it is no longer current.
  const refused = await change(etag);
  const currentEtag = reread.headers.get('etag') ?? '';
  expect([refused.status, refused.headers.get('etag')]).toEqual([412, currentEtag]);
  expect((await change(currentEtag)).status).toBe(200);
});

it('owners share the ETag of a workspace, also the ETag that has no role', async () => {
  await addBob('owner');
  const etag = (await readAs(users.ada)).headers.get('etag') ?? '';
  expect((await readAs(users.bob)).headers.get('etag')).toBe(etag);
  const client = users.ada.client.with({ 'if-match': etag.replace('-owner', '') });
  expect((await client.put(path, { name: 'B' })).status).toBe(200);
});

it('a repeated creation returns the first response, although the role has changed since', async () => {
  const client = users.ada.client.with({ 'idempotency-key': randomUUID() });
  const first = await client.post<Workspace>('/api/workspaces', { name: 'A' });
  workspaceId = first.body.id;
  path = `/api/workspaces/${workspaceId}`;
  await addBob('owner');
  await users.bob.client.put(`${path}/members/${users.ada.id}`, { role: 'viewer' });
  expect((await readAs(users.ada)).body.role).toBe('viewer');
  const repeated = await client.post<Workspace>('/api/workspaces', { name: 'A' });
  expect([repeated.status, repeated.text]).toEqual([201, first.text]);
});
