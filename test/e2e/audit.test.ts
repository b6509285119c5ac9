import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';

interface Entry {
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
let workspace: string;

beforeAll(async () => {
  galley = await startGalley({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
  ada = await galley.as('ada');
});
afterAll(() => galley.stop());
beforeEach(async () => {
  workspace = (await galley.workspaceOf('ada')).id;
});

const idOf = async (name: string) =>
  (await (await galley.as(name)).get<{ user: { id: string } }>('/api/auth/me')).body.user.id;
const audit = async (query = '', client = ada) =>
  (
    await client.get<{ data: Entry[]; nextCursor: string | null }>(
      `/api/workspaces/${workspace}/audit${query}`,
    )
  ).body;
/** What has happened, oldest first, without the making of the workspace. */
const told = async () =>
  (await audit()).data
    .reverse()
    .slice(1)
    .map(({ action, targetId, details }) => [action, targetId, details]);
const make = async (path: string, body: object, client = ada) =>
  (await client.post<{ id: string }>(path, body)).body.id;

describe('the audit log', () => {
  it('says who, what, when and from which address', async () => {
    const [entry] = (await audit()).data;
    const { user } = (await ada.get<{ user: { id: string } }>('/api/auth/me')).body;
    expect(entry).toEqual({
      ...{ id: entry?.id, occurredAt: entry?.occurredAt },
      action: 'workspace.created',
      actor: { userId: user.id, kind: 'person', email: 'ada@example.com', name: '' },
      address: '127.0.0.1',
      targetId: workspace,
      details: { name: "ada's" },
    });
    expect(Math.abs(Date.parse(entry?.occurredAt ?? '') - Date.now())).toBeLessThan(60_000);
  });

  it('tells of members', async () => {
    const members = `/api/workspaces/${workspace}/members`;
    const [bob, carol] = [await idOf('bob'), await idOf('carol')];
    await ada.post(members, { userId: bob, role: 'viewer' });
    await ada.post(members, { userId: carol, role: 'viewer' });
    await ada.put(`${members}/${bob}`, { role: 'admin' });
    await ada.put(`${members}/${bob}`, { role: 'admin' });
    await ada.delete(`${members}/${carol}`);
    await (await galley.as('bob')).delete(`${members}/${bob}`);
    expect(await told()).toEqual([
      ['member.added', bob, { role: 'viewer' }],
      ['member.added', carol, { role: 'viewer' }],
      ['member.role_changed', bob, { from: 'viewer', to: 'admin' }],
      ['member.removed', carol, { role: 'viewer' }],
      ['member.left', bob, { role: 'admin' }],
    ]);
  });

  it('tells of keys, and of what is done with one', async () => {
    const keys = `/api/workspaces/${workspace}/keys`;
    const shop = (
      await ada.post<{ id: string; key: string }>(keys, { name: 'Shop', role: 'admin' })
    ).body;
    const key = await make(
      keys,
      { name: 'Till', role: 'viewer' },
      new Client(galley.url, shop.key),
    );
    await ada.delete(`${keys}/${key}`);
    expect(await told()).toEqual([
      ['key.created', shop.id, { name: 'Shop', role: 'admin', expiresAt: null }],
      ['key.created', key, { name: 'Till', role: 'viewer', expiresAt: null }],
      ['key.revoked', key, { name: 'Till' }],
    ]);
    const [, byKey] = (await audit()).data;
    expect(byKey?.actor).toMatchObject({ kind: 'key', name: 'Shop', email: '' });
  });

  it('tells of webhooks and their secrets, but no secret', async () => {
    const url = 'https://example.com/hook';
    const webhook = { workspaceId: workspace, url, events: ['template.created'] };
    const id = await make('/api/webhooks', { ...webhook, headers: { 'x-token': 'hidden-1' } });
    const path = `/api/webhooks/${id}`;
    await ada.put(path, { description: 'Shop', headers: { 'x-token': 'hidden-2' } });
    await ada.put(path, { description: 'Shop' });
    await ada.post(`${path}/disable`);
    await ada.put(path, { status: 'active', rateLimit: 5 });
    const { secret } = (await ada.get<{ secret: string }>(`${path}/secret`)).body;
    const rotated = await ada.post<{ secret: string }>(`${path}/secret/rotate`, {});
    await ada.delete(path);
    expect(await told()).toEqual([
      ['webhook.created', id, { url }],
      ['webhook.updated', id, { description: { from: '', to: 'Shop' }, headers: 'changed' }],
      ['webhook.disabled', id, {}],
      ['webhook.updated', id, { rateLimit: { from: null, to: 5 } }],
      ['webhook.enabled', id, {}],
      ['secret.revealed', id, {}],
      ['secret.rotated', id, { overlapHours: 24 }],
      ['webhook.deleted', id, { url }],
    ]);
    const all = JSON.stringify(await audit());
    for (const hidden of ['hidden-', secret, rotated.body.secret])
      expect(all).not.toContain(hidden);
  });

  it('outlives the workspace', async () => {
    await ada.put(`/api/workspaces/${workspace}`, { name: 'Kitchen' });
    await ada.delete(`/api/workspaces/${workspace}`);
    const kept = await galley.database.query(
      'SELECT action, details FROM audit_entries WHERE workspace_id = $1 ORDER BY occurred_at, id',
      [workspace],
    );
    expect(kept.slice(1)).toEqual([
      { action: 'workspace.renamed', details: { from: "ada's", to: 'Kitchen' } },
      { action: 'workspace.deleted', details: { name: 'Kitchen' } },
    ]);
  });

  it('comes in pages', async () => {
    for (let count = 0; count < 4; count++) {
      await ada.put(`/api/workspaces/${workspace}`, { name: `Kitchen ${count}` });
    }
    const whole = (await audit()).data;
    expect(whole).toHaveLength(5);
    const pages: Entry[] = [];
    for (let query = '?limit=2'; query !== '';) {
      const { data, nextCursor } = await audit(query);
      pages.push(...data);
      query = nextCursor === null ? '' : `?limit=2&cursor=${nextCursor}`;
    }
    expect(pages).toEqual(whole);
  });

  it('has nothing of what was refused', async () => {
    await idOf('eve');
    const eve = await galley.as('eve');
    const members = `/api/workspaces/${workspace}/members`;
    await eve.post(members, { userId: await idOf('eve'), role: 'owner' });
    await ada.delete(`${members}/${await idOf('ada')}`);
    await ada.put(`/api/workspaces/${workspace}`, { name: '' });
    expect(await told()).toEqual([]);
  });
});

describe('the address', () => {
  const addressSeen = async (forwarded: string) => {
    const renamed = JSON.stringify({ name: forwarded });
    await ada.raw('PUT', `/api/workspaces/${workspace}`, renamed, {
      'content-type': 'application/json',
      'x-forwarded-for': forwarded,
    });
    return (await audit()).data[0]?.address;
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
  ])('behind a trusted proxy that has seen %s is %s', async (forwarded, address) => {
    expect(await addressSeen(forwarded)).toBe(address);
  });

  it('is that of the connection when no proxy is trusted', async () => {
    const other = await startGalley();
    try {
      const { id } = await other.workspaceOf('ada');
      const client = await other.as('ada');
      await client.raw('PUT', `/api/workspaces/${id}`, '{"name":"Kitchen"}', {
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.7',
      });
      const { body } = await client.get<{ data: Entry[] }>(`/api/workspaces/${id}/audit`);
      expect(body.data.map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1']);
    } finally {
      await other.stop();
    }
  });
});
