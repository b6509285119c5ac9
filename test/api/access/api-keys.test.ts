import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Workspace } from '#client';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

interface ApiKey {
  id: string;
  name: string;
  role: string;
  prefix: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  key: string;
}

const galley = useSharedGalley();
let ada: Client;
let workspace: Workspace;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
});
beforeEach(async () => {
  workspace = await galley.createWorkspaceFor('ada');
});

const keysPath = (suffix = '') => `/api/workspaces/${workspace.id}/keys${suffix}`;
const createKey = async (fields: object = {}) => {
  const response = await ada.post<ApiKey>(keysPath(), { name: 'Shop', role: 'editor', ...fields });
  expect(response.status).toBe(201);
  return { ...response.body, client: new Client(galley.url, response.body.key) };
};
const listKeys = async () => (await ada.get<{ data: ApiKey[] }>(keysPath())).body.data;

describe('an API key', () => {
  it('is shown once, and stored as a hash', async () => {
    const { key, id, client, ...apiKey } = await createKey();
    expect(key).toMatch(/^glk_[\w-]{43}$/);
    expect(apiKey).toMatchObject({ name: 'Shop', role: 'editor', prefix: key.slice(0, 10) });
    expect(await listKeys()).toEqual([{ id, ...apiKey }]);
    const [row] = await galley.query<{ text: string }>(
      'SELECT key::text || (SELECT string_agg(u::text, $1) FROM users u) AS text FROM api_keys key WHERE id = $2',
      [' ', id],
    );
    expect(row?.text).not.toContain(key.slice(10));
  });

  it.each([
    ['viewer', 200, 403, 403],
    ['editor', 200, 201, 403],
    ['admin', 200, 201, 200],
  ])(
    'of role %s may do what the role may, and only in its workspace',
    async (role, ...expected) => {
      const { client } = await createKey({ role });
      const template = { name: 'Welcome', workspaceId: workspace.id };
      const statuses = [
        await client.get(`/api/templates?workspaceId=${workspace.id}`),
        await client.post('/api/templates', template),
        await client.get(`/api/webhooks?workspaceId=${workspace.id}`),
      ].map(({ status }) => status);
      expect(statuses).toEqual(expected);
      const otherWorkspace = await galley.createWorkspaceFor('ada');
      expect((await client.get(`/api/templates?workspaceId=${otherWorkspace.id}`)).status).toBe(
        403,
      );
      expect((await client.post('/api/workspaces', { name: 'Mine' })).status).toBe(403);
    },
  );

  it('is refused from the next request once it is revoked', async () => {
    const { id, client } = await createKey();
    expect((await client.get(`/api/workspaces/${workspace.id}`)).status).toBe(200);
    expect((await ada.delete(keysPath(`/${id}`))).status).toBe(204);
    expect((await client.get(`/api/workspaces/${workspace.id}`)).status).toBe(401);
    expect((await client.post('/api/workspaces', { name: 'Mine' })).status).toBe(401);
    expect(await listKeys()).toEqual([]);
    expect(
      await galley.query(
        `SELECT FROM workspace_members JOIN users ON id = user_id
         WHERE workspace_id = $1 AND kind = 'key' AND status = 'deleted'`,
        [workspace.id],
      ),
    ).toEqual([]);
    expect((await ada.delete(keysPath(`/${id}`))).status).toBe(404);
  });

  it('is refused once it has expired', async () => {
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { client, ...apiKey } = await createKey({ expiresAt });
    expect(apiKey.expiresAt).toBe(expiresAt);
    const getStatus = async () => (await client.get(`/api/workspaces/${workspace.id}`)).status;
    expect(await getStatus()).toBe(200);
    await eventually('the key to expire', async () => (await getStatus()) === 401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
  });

  it('has the time of its last use', async () => {
    const { client } = await createKey();
    expect((await listKeys())[0]?.lastUsedAt).toBeNull();
    const before = Date.now();
    await client.get(`/api/workspaces/${workspace.id}`);
    const lastUsedAt = Date.parse((await listKeys())[0]?.lastUsedAt ?? '');
    expect(lastUsedAt).toBeGreaterThanOrEqual(before - 1);
    expect(lastUsedAt).toBeLessThanOrEqual(Date.now());
  });

  it('is not created with an expiry that has passed, even if only by a minute', async () => {
    const expiresAt = new Date(Date.now() - 60_000).toISOString();
    const body = { name: 'Shop', role: 'editor', expiresAt };
    const { status, body: error } = await ada.post<{ message: string }>(keysPath(), body);
    expect([status, error.message]).toEqual([400, expect.stringContaining('in the future')]);
    expect(await listKeys()).toEqual([]);
  });

  it('does not count as used when it is refused because it has expired', async () => {
    const { id, client } = await createKey();
    await galley.query(
      `UPDATE api_keys SET expires_at = now() - interval '1 minute', last_used_at = now() - interval '1 hour'
       WHERE id = $1`,
      [id],
    );
    const { lastUsedAt } = (await listKeys())[0] ?? {};
    expect((await client.get(`/api/workspaces/${workspace.id}`)).status).toBe(401);
    expect((await listKeys())[0]?.lastUsedAt).toBe(lastUsedAt);
  });

  it('is not a member that can be listed, promoted or removed like a person', async () => {
    const { client } = await createKey();
    const { body } = await client.get<{ user: { id: string } }>('/api/auth/me');
    const members = `/api/workspaces/${workspace.id}/members`;
    const membersResponse = await ada.get<{ data: { userId: string }[] }>(members);
    expect(membersResponse.body.data).toHaveLength(1);
    const member = `${members}/${body.user.id}`;
    expect((await ada.put(member, { role: 'admin' })).status).toBe(404);
    expect((await ada.delete(member)).status).toBe(404);
    expect((await client.delete(member)).status).toBe(404);
    const otherWorkspace = await galley.createWorkspaceFor('ada');
    const newMember = { userId: body.user.id, role: 'viewer' };
    expect((await ada.post(`/api/workspaces/${otherWorkspace.id}/members`, newMember)).status).toBe(
      404,
    );
  });

  it.each([
    ['made up', 'glk_0123456789012345678901234567890123456789012'],
    ['cut short', 'glk_0123'],
    ['empty', 'glk_'],
  ])('that is %s is refused', async (_title, key) => {
    const response = await new Client(galley.url, key).get('/api/auth/me');
    expect([response.status, response.body]).toEqual([
      401,
      { statusCode: 401, code: 'unauthorized', message: 'Unauthorized' },
    ]);
  });

  it('is deleted with its workspace', async () => {
    const { client } = await createKey();
    expect((await ada.delete(`/api/workspaces/${workspace.id}`)).status).toBe(204);
    const { status } = await client.get(`/api/templates?workspaceId=${workspace.id}`);
    expect([401, 404]).toContain(status);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ role: 'owner' }, 'role'],
    [{ role: null }, 'role'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 'soon' }, 'expiresAt'],
    [{ expiresAt: 5 }, 'expiresAt'],
    [{ key: 'glk_mine' }, 'key'],
  ])('is not created from %j', async (fields, field) => {
    const response = await ada.post<{ message: string }>(keysPath(), {
      name: 'Shop',
      role: 'editor',
      ...fields,
    });
    expect(response.status).toBe(400);
    expect(response.body.message).toContain(field);
  });
});
