import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';

interface AuditEntry {
  id: string;
  occurredAt: string;
  action: string;
  actor: { userId: string; kind: string; email: string; name: string } | null;
  address: string;
  targetId: string;
  details: Record<string, unknown>;
}

let galley: Galley;
let ada: Client;
let workspaceId: string;

beforeAll(async () => {
  galley = await startGalley({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  ada = await galley.clientFor('ada');
});
afterAll(() => galley.stop());
beforeEach(async () => {
  workspaceId = (await galley.createWorkspaceFor('ada')).id;
});

const userIdOf = async (name: string) =>
  (await (await galley.clientFor(name)).get<{ user: { id: string } }>('/api/auth/me')).body.user.id;
const getAuditLog = async (query = '', client = ada) =>
  (
    await client.get<{ data: AuditEntry[]; nextCursor: string | null }>(
      `/api/workspaces/${workspaceId}/audit${query}`,
    )
  ).body;
/** The entries, oldest first, without the creation of the workspace. */
const recordedActions = async () =>
  (await getAuditLog()).data
    .reverse()
    .slice(1)
    .map(({ action, targetId, details }) => [action, targetId, details]);
const create = async (path: string, body: object, client = ada) =>
  (await client.post<{ id: string }>(path, body)).body.id;

describe('the audit log', () => {
  it('says who changed what, when, and from which IP address', async () => {
    const [entry] = (await getAuditLog()).data;
    const { user } = (await ada.get<{ user: { id: string } }>('/api/auth/me')).body;
    expect(entry).toEqual({
      id: entry?.id,
      occurredAt: entry?.occurredAt,
      action: 'workspace.created',
      actor: { userId: user.id, kind: 'person', email: 'ada@example.com', name: '' },
      address: '127.0.0.1',
      targetId: workspaceId,
      details: { name: "ada's" },
    });
    expect(Math.abs(Date.parse(entry?.occurredAt ?? '') - Date.now())).toBeLessThan(60_000);
  });

  it('has entries for changes of members', async () => {
    const members = `/api/workspaces/${workspaceId}/members`;
    const [bobId, carolId] = [await userIdOf('bob'), await userIdOf('carol')];
    await ada.post(members, { userId: bobId, role: 'viewer' });
    await ada.post(members, { userId: carolId, role: 'viewer' });
    await ada.put(`${members}/${bobId}`, { role: 'admin' });
    await ada.put(`${members}/${bobId}`, { role: 'admin' });
    await ada.delete(`${members}/${carolId}`);
    await (await galley.clientFor('bob')).delete(`${members}/${bobId}`);
    expect(await recordedActions()).toEqual([
      ['member.added', bobId, { role: 'viewer' }],
      ['member.added', carolId, { role: 'viewer' }],
      ['member.role_changed', bobId, { from: 'viewer', to: 'admin' }],
      ['member.removed', carolId, { role: 'viewer' }],
      ['member.left', bobId, { role: 'admin' }],
    ]);
  });

  it('has entries for API keys, and for changes that are made with one', async () => {
    const keys = `/api/workspaces/${workspaceId}/keys`;
    const shopKey = (
      await ada.post<{ id: string; key: string }>(keys, { name: 'Shop', role: 'admin' })
    ).body;
    const tillKeyId = await create(
      keys,
      { name: 'Till', role: 'viewer' },
      new Client(galley.url, shopKey.key),
    );
    await ada.delete(`${keys}/${tillKeyId}`);
    expect(await recordedActions()).toEqual([
      ['key.created', shopKey.id, { name: 'Shop', role: 'admin', expiresAt: null }],
      ['key.created', tillKeyId, { name: 'Till', role: 'viewer', expiresAt: null }],
      ['key.revoked', tillKeyId, { name: 'Till' }],
    ]);
    const [, entryByKey] = (await getAuditLog()).data;
    expect(entryByKey?.actor).toMatchObject({ kind: 'key', name: 'Shop', email: '' });
  });

  it('has entries for webhooks and their secrets, without the secrets themselves', async () => {
    const url = 'https://example.com/hook';
    const webhook = { workspaceId, url, events: ['template.created'] };
    const id = await create('/api/webhooks', { ...webhook, headers: { 'x-token': 'hidden-1' } });
    const path = `/api/webhooks/${id}`;
    await ada.put(path, { description: 'Shop', headers: { 'x-token': 'hidden-2' } });
    await ada.put(path, { description: 'Shop' });
    await ada.post(`${path}/disable`);
    await ada.put(path, { status: 'active', rateLimit: 5 });
    const { secret } = (await ada.get<{ secret: string }>(`${path}/secret`)).body;
    const rotated = await ada.post<{ secret: string }>(`${path}/secret/rotate`, {});
    await ada.delete(path);
    expect(await recordedActions()).toEqual([
      ['webhook.created', id, { url }],
      ['webhook.updated', id, { description: { from: '', to: 'Shop' }, headers: 'changed' }],
      ['webhook.disabled', id, {}],
      ['webhook.updated', id, { rateLimit: { from: null, to: 5 } }],
      ['webhook.enabled', id, {}],
      ['secret.revealed', id, {}],
      ['secret.rotated', id, { overlapHours: 24 }],
      ['webhook.deleted', id, { url }],
    ]);
    const auditText = JSON.stringify(await getAuditLog());
    for (const secretText of ['hidden-', secret, rotated.body.secret])
      expect(auditText).not.toContain(secretText);
  });

  it('outlives the workspace', async () => {
    await ada.put(`/api/workspaces/${workspaceId}`, { name: 'Kitchen' });
    await ada.delete(`/api/workspaces/${workspaceId}`);
    const entries = await galley.database.query(
      'SELECT action, details FROM audit_entries WHERE workspace_id = $1 ORDER BY occurred_at, id',
      [workspaceId],
    );
    expect(entries.slice(1)).toEqual([
      { action: 'workspace.renamed', details: { from: "ada's", to: 'Kitchen' } },
      { action: 'workspace.deleted', details: { name: 'Kitchen' } },
    ]);
  });

  it('is listed in pages', async () => {
    for (let count = 0; count < 4; count++) {
      await ada.put(`/api/workspaces/${workspaceId}`, { name: `Kitchen ${count}` });
    }
    const allEntries = (await getAuditLog()).data;
    expect(allEntries).toHaveLength(5);
    const pages: AuditEntry[] = [];
    for (let query = '?limit=2'; query !== '';) {
      const { data, nextCursor } = await getAuditLog(query);
      pages.push(...data);
      query = nextCursor === null ? '' : `?limit=2&cursor=${nextCursor}`;
    }
    expect(pages).toEqual(allEntries);
  });

  it('can be filtered by action, actor, target and time', async () => {
    const members = `/api/workspaces/${workspaceId}/members`;
    const bobId = await userIdOf('bob');
    await ada.post(members, { userId: bobId, role: 'owner' });
    await (await galley.clientFor('bob')).put(`/api/workspaces/${workspaceId}`, { name: 'Bar' });
    await ada.put(`/api/workspaces/${workspaceId}`, { name: 'Kitchen' });
    const [byAda, byBob, added, created] = (await getAuditLog()).data;
    expect((await getAuditLog('?action=workspace.renamed')).data).toEqual([byAda, byBob]);
    expect((await getAuditLog(`?actorId=${bobId}`)).data).toEqual([byBob]);
    expect((await getAuditLog(`?targetId=${bobId.toUpperCase()}`)).data).toEqual([added]);
    const filter = `?action=workspace.renamed&targetId=${workspaceId}`;
    expect((await getAuditLog(`${filter}&actorId=${bobId}`)).data).toEqual([byBob]);
    const since = byBob?.occurredAt ?? '';
    expect((await getAuditLog(`?since=${since}`)).data).toEqual([byAda, byBob]);
    expect((await getAuditLog(`?until=${since}`)).data).toEqual([added, created]);
  });

  it('is searched in parts', async () => {
    await ada.put(`/api/workspaces/${workspaceId}`, { name: 'Kitchen' });
    await galley.database.query(
      `INSERT INTO audit_entries (id, workspace_id, action, target_id, details)
       SELECT gen_random_uuid(), $1, 'key.revoked', gen_random_uuid(), '{}'
       FROM generate_series(1, 9999)`,
      [workspaceId],
    );
    const filter = '?action=workspace.renamed';
    const first = await getAuditLog(filter);
    expect(first.data).toEqual([]);
    const second = await getAuditLog(`${filter}&cursor=${first.nextCursor}`);
    expect(second.data.map(({ action }) => action)).toEqual(['workspace.renamed']);
    const third = await getAuditLog(`${filter}&cursor=${second.nextCursor}`);
    expect(third).toEqual({ data: [], nextCursor: null });
    const otherFilter = `?action=key.revoked&cursor=${first.nextCursor}`;
    expect((await ada.get(`/api/workspaces/${workspaceId}/audit${otherFilter}`)).status).toBe(400);
  });

  it('has no entries for refused requests', async () => {
    await userIdOf('eve');
    const eve = await galley.clientFor('eve');
    const members = `/api/workspaces/${workspaceId}/members`;
    await eve.post(members, { userId: await userIdOf('eve'), role: 'owner' });
    await ada.delete(`${members}/${await userIdOf('ada')}`);
    await ada.put(`/api/workspaces/${workspaceId}`, { name: '' });
    expect(await recordedActions()).toEqual([]);
  });
});

describe('the IP address', () => {
  const recordedIpAddress = async (forwardedFor: string) => {
    const body = JSON.stringify({ name: forwardedFor });
    await ada.raw('PUT', `/api/workspaces/${workspaceId}`, body, {
      'content-type': 'application/json',
      'x-forwarded-for': forwardedFor,
    });
    return (await getAuditLog()).data[0]?.address;
  };

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, 127.0.0.2', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['203.0.113.7:5555', '203.0.113.7'],
    ['[2001:db8::7]:5555', '2001:db8::7'],
    ['unknown', '127.0.0.1'],
    ["'; DROP TABLE users", '127.0.0.1'],
  ])('behind a trusted proxy that reports %s is %s', async (forwardedFor, ipAddress) => {
    expect(await recordedIpAddress(forwardedFor)).toBe(ipAddress);
  });

  it('is the address of the connection if no proxy is trusted', async () => {
    const untrustingGalley = await startGalley();
    try {
      const { id } = await untrustingGalley.createWorkspaceFor('ada');
      const client = await untrustingGalley.clientFor('ada');
      await client.raw('PUT', `/api/workspaces/${id}`, '{"name":"Kitchen"}', {
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.7',
      });
      const { body } = await client.get<{ data: AuditEntry[] }>(`/api/workspaces/${id}/audit`);
      expect(body.data.map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1']);
    } finally {
      await untrustingGalley.stop();
    }
  });
});
