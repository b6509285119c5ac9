import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { EventFeed } from '#webhooks';
import type { Role } from '#workspaces';
import { createMember } from './support/member.js';
import { PreparedDatabase } from './support/prepared-database.js';
import type { PreparedEndpoint } from './support/prepared-endpoint.js';

let database: PreparedDatabase;
let endpoint: PreparedEndpoint;

beforeAll(async () => {
  database = await PreparedDatabase.start();
});
afterAll(() => database.stop());
beforeEach(async () => {
  endpoint = await database.prepare({});
});

const insertEvent = (position: number, relayedAt: number, kind = 'template.created') =>
  database.insert('events', {
    workspace_id: endpoint.workspaceId,
    position,
    id: randomUUID(),
    kind,
    resource_id: endpoint.id,
    sequence: 1,
    data: { secret: 1 },
    occurred_at: relayedAt,
    relayed_at: relayedAt,
  });

async function read(role: Role, after = 0, limit = 10) {
  const { workspaceId } = endpoint;
  const caller = await createMember(database, workspaceId, role);
  return database.get(EventFeed).read(caller, { workspaceId, after, limit });
}

it.each([
  { title: 'events that are older than a second are read', relayed: [-2, -1.001], read: [1, 2] },
  { title: 'an event that is a second old is not read yet', relayed: [-2, -1], read: [1] },
  {
    title: 'no event is read before an earlier one that a crash may still take back',
    relayed: [-2, 0, -2],
    read: [1],
  },
  { title: 'a feed without durable events is empty', relayed: [0], read: [] },
])('$title', async ({ relayed, read: expected }) => {
  for (const [index, relayedAt] of relayed.entries()) await insertEvent(index + 1, relayedAt);
  const { data, nextAfter } = await read('viewer');
  expect(data.map(({ position }) => position)).toEqual(expected);
  expect(nextAfter).toBe(expected.at(-1) ?? 0);
});

it('a page begins after the position that was read last, and ends with its limit', async () => {
  for (const position of [1, 2, 3, 4]) await insertEvent(position, -2);
  const { data, nextAfter } = await read('viewer', 1, 2);
  expect(data.map(({ position }) => position)).toEqual([2, 3]);
  expect(nextAfter).toBe(3);
});

it.each<{ role: Role; isFull: boolean }>([
  { role: 'viewer', isFull: false },
  { role: 'editor', isFull: false },
  { role: 'admin', isFull: true },
  { role: 'owner', isFull: true },
])('the data of a webhook event is full for the role $role: $isFull', async ({ role, isFull }) => {
  await insertEvent(1, -2, 'webhook.failing');
  await insertEvent(2, -2, 'template.created');
  const { id, workspaceId } = endpoint;
  const { data } = await read(role);
  expect(data.map((event) => event.data)).toEqual([
    isFull ? { secret: 1 } : { id, workspaceId },
    { secret: 1 },
  ]);
});
