import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Encryption } from '#encryption';
import { EndpointLifecycle, EndpointSecrets, OrphanedEndpoints } from '#webhooks';
import { activeKeyRing } from '../support/secrets/active-key-ring.js';
import { OLD_KEY } from './support/engine.js';
import { createMember } from './support/member.js';
import { PreparedDatabase } from './support/prepared-database.js';
import { runWhileLocked } from './support/run-while-locked.js';
import type { State } from './support/state.js';

let database: PreparedDatabase;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());

describe('endpoints of deleted workspaces', () => {
  interface OrphanCase extends State {
    title: string;
    hasEventInOutbox?: boolean;
    isDeleted: boolean;
  }
  const orphaned = { workspace_deleted_at: -60 };
  it.each<OrphanCase>([
    {
      title: 'an endpoint that has nothing left to receive is deleted',
      endpoint: orphaned,
      isDeleted: true,
    },
    {
      title: 'an endpoint stays while it has a delivery',
      endpoint: orphaned,
      deliveries: { d1: { due_at: 300 } },
      isDeleted: false,
    },
    {
      title: 'an endpoint stays while an event of its workspace is not relayed yet',
      endpoint: orphaned,
      hasEventInOutbox: true,
      isDeleted: false,
    },
    {
      title: 'a disabled endpoint is deleted with the deliveries that it holds',
      endpoint: { ...orphaned, status: 'disabled' },
      deliveries: { d1: {} },
      isDeleted: true,
    },
    {
      title: 'a disabled endpoint stays while an event of its workspace is not relayed yet',
      endpoint: { ...orphaned, status: 'disabled' },
      hasEventInOutbox: true,
      isDeleted: false,
    },
    { title: 'an endpoint of a workspace that exists stays', isDeleted: false },
  ])('$title', async ({ hasEventInOutbox = false, isDeleted, ...before }) => {
    const endpoint = await database.prepare(before);
    if (hasEventInOutbox) {
      await database.insert('outbox', {
        workspace_id: endpoint.workspaceId,
        id: randomUUID(),
        kind: 'template.deleted',
        resource_id: randomUUID(),
        sequence: 1,
        data: {},
      });
    }
    await database.get(OrphanedEndpoints).deleteFinished();
    const { endpoint: row, deliveries } = await endpoint.read();
    expect('status' in row).toBe(!isDeleted);
    if (isDeleted) expect(deliveries).toEqual({});
  });
});

describe('secrets that were encrypted with an old key', () => {
  const oldEncryption = new Encryption(activeKeyRing(OLD_KEY));
  const readSecret = async (endpointId: string) => {
    const [row] = await database.query<{ encrypted: string }>(
      'SELECT encrypted_secret AS encrypted FROM webhook_endpoints WHERE id = $1',
      [endpointId],
    );
    return row?.encrypted ?? '';
  };
  const encryptWithOldKey = async (endpointId: string) =>
    database.query('UPDATE webhook_endpoints SET encrypted_secret = $2 WHERE id = $1', [
      endpointId,
      oldEncryption.encrypt('whsec_old', endpointId),
    ]);

  it('a secret is encrypted again with the current key', async () => {
    const { id } = await database.prepare({});
    await encryptWithOldKey(id);
    await database.get(EndpointSecrets).reencrypt();
    const encrypted = await readSecret(id);
    expect(() => oldEncryption.decrypt(encrypted, id)).toThrow();
    expect(database.get(Encryption).decrypt(encrypted, id)).toBe('whsec_old');
  });

  it('a secret that is rotated meanwhile stays rotated', async () => {
    const { id } = await database.prepare({});
    await encryptWithOldKey(id);
    await runWhileLocked(
      database,
      'webhook_endpoints',
      id,
      () => database.get(EndpointSecrets).reencrypt(),
      "UPDATE webhook_endpoints SET encrypted_secret = 'rotated' WHERE id = $1",
    );
    expect(await readSecret(id)).toBe('rotated');
  });
});

describe('the key of a new secret', () => {
  const insertKey = (id: string, state: string) =>
    database.query(
      `INSERT INTO encryption_keys (id, state) VALUES ($1, $2)
       ON CONFLICT (id) DO UPDATE SET state = excluded.state`,
      [id, state],
    );
  const store = (id: string, secret: string, earlier: object[] = []) =>
    database.query(
      `UPDATE webhook_endpoints SET encrypted_secret = $2, earlier_secrets = $3 WHERE id = $1`,
      [id, secret, JSON.stringify(earlier)],
    );
  const until = new Date().toISOString();

  afterEach(async () => {
    await database.query('DELETE FROM encryption_keys');
  });

  it('must be open, once keys are known', async () => {
    const { id } = await database.prepare({});
    await store(id, '0000000a.any');
    await insertKey('0000000a', 'active');
    for (const state of ['old', 'closed', 'retired'])
      await insertKey(`000000${state.length}b`, state);
    await store(id, '0000000a.new');
    await store(id, '0000003b.new');
    for (const keyId of ['0000006b', '0000007b', '0000000c']) {
      await expect(store(id, `${keyId}.new`)).rejects.toThrow('must not encrypt any more');
      await expect(
        store(id, '0000000a.new', [{ encrypted: `${keyId}.new`, until }]),
      ).rejects.toThrow('must not encrypt any more');
    }
  });

  it('may be closed if the row already had its values', async () => {
    const { id } = await database.prepare({});
    await store(id, '0000000b.any');
    await insertKey('0000000a', 'active');
    await insertKey('0000000b', 'closed');
    await store(id, '0000000a.new', [{ encrypted: '0000000b.any', until }]);
    await store(id, '0000000a.new');
    await expect(store(id, '0000000b.any')).rejects.toThrow('must not encrypt any more');
  });

  it('is not closed while a transaction stores a secret', async () => {
    const { id } = await database.prepare({});
    await insertKey('0000000a', 'active');
    await insertKey('0000000b', 'old');
    const closed = await runWhileLocked(
      database,
      'webhook_endpoints',
      id,
      () =>
        database.query(
          `UPDATE encryption_keys SET state = 'closed' WHERE state = 'old' RETURNING id`,
        ),
      "UPDATE webhook_endpoints SET encrypted_secret = '0000000b.new' WHERE id = $1",
    );
    expect(closed).toEqual([{ id: '0000000b' }]);
  });
});

it('an endpoint that is enabled begins like a new one, and drains what it holds', async () => {
  const endpoint = await database.prepare({
    endpoint: { status: 'disabled' },
    traffic: {
      window_size: 8,
      failures: 40,
      failing_since: -500_000,
      failed_at: -60,
      opened: 9,
      open_until: 200,
      wake_at: null,
    },
    deliveries: { d1: { due_at: 300, attempts: 4 } },
  });
  const admin = await createMember(database, endpoint.workspaceId, 'admin');
  await database.get(EndpointLifecycle).enable(admin, endpoint.id, 'send');
  expect(await endpoint.read()).toMatchObject({
    endpoint: { status: 'active' },
    traffic: {
      window_size: 1,
      failures: 0,
      failing_since: null,
      opened: 0,
      open_until: -Infinity,
      is_draining: true,
      wake_at: 0,
    },
    deliveries: { d1: { due_at: -3_600.001, attempts: 4 } },
  });
});
