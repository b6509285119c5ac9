import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { DevelopmentUsers, isUnreported, type DevelopmentUser } from './development-users.js';
import { UserMessages } from './user-messages.js';

interface Message {
  type: string;
  timestamp: number;
  data: { id: string; first_name?: string };
}

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const backOffMs = [5, 5, 5, 5];

let directory: string;
let server: Server;
let url: string;
let users: DevelopmentUsers;
let messages: UserMessages;
/** The statuses of the next responses. All later responses have the status 200. */
let statuses: number[];
let received: Message[];
let messageIds: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'galley-users-'));
  [statuses, received, messageIds] = [[], [], []];
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const header = (name: string) => String(request.headers[`svix-${name}`]);
      new Webhook(secret).verify(body, {
        'webhook-id': header('id'),
        'webhook-timestamp': header('timestamp'),
        'webhook-signature': header('signature'),
      });
      messageIds.push(header('id'));
      received.push(JSON.parse(body) as Message);
      response.writeHead(statuses.shift() ?? 200).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  users = await DevelopmentUsers.load(join(directory, 'users.json'));
  messages = new UserMessages(users, { url, secret, backOffMs });
});
afterEach(async () => {
  await messages.stop();
  server.close();
  server.closeAllConnections();
  await rm(directory, { recursive: true });
});

const typesOf = (list: Message[]) => list.map(({ type }) => type);

async function signIn(email = 'ada@example.com'): Promise<DevelopmentUser> {
  const user = await users.signIn(email);
  if (user === undefined) throw new Error(`${email} is not an email address.`);
  return user;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

const untilReported = (user: DevelopmentUser): Promise<void> => until(() => !isUnreported(user));

test('Galley receives each change as a Clerk message', async () => {
  const ada = await signIn();
  await untilReported(ada);
  await users.rename(ada, { firstName: 'Augusta', lastName: 'King' });
  await untilReported(ada);
  await users.delete(ada);
  await untilReported(ada);

  expect(typesOf(received)).toEqual(['user.created', 'user.updated', 'user.deleted']);
  expect(received[1]).toEqual({
    type: 'user.updated',
    object: 'event',
    timestamp: expect.any(Number),
    data: {
      id: 'ada@example.com',
      object: 'user',
      email_addresses: [
        {
          id: 'idn_ada@example.com',
          object: 'email_address',
          email_address: 'ada@example.com',
          verification: { status: 'verified' },
        },
      ],
      primary_email_address_id: 'idn_ada@example.com',
      first_name: 'Augusta',
      last_name: 'King',
      banned: false,
      created_at: ada.createdAt,
      updated_at: received[1]?.timestamp,
    },
  });
  expect(received[2]?.data).toEqual({ id: 'ada@example.com', deleted: true, object: 'user' });
});

test('a message is retried with the same id before the next message is sent', async () => {
  statuses = [503, 500, 404];
  const ada = await signIn();
  await users.rename(ada, { firstName: 'Augusta', lastName: '' });
  await untilReported(ada);
  expect(typesOf(received)).toEqual([...Array<string>(4).fill('user.created'), 'user.updated']);
  expect(new Set(messageIds.slice(0, 4)).size).toBe(1);
  expect(received.map(({ data }) => data.first_name)).toEqual([
    ...Array<string>(4).fill('Ada'),
    'Augusta',
  ]);
});

test('a failure is printed, and the next change also reports the missed one', async () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    statuses = Array<number>(5).fill(503);
    const ada = await signIn();
    await until(() => write.mock.calls.length > 0);
    expect(String(write.mock.calls[0]?.[0])).toMatch(/latest change of the user ada@.*503/);
    await users.rename(ada, { firstName: 'Augusta', lastName: '' });
    await untilReported(ada);
    expect(received.at(-1)).toMatchObject({
      type: 'user.created',
      data: { first_name: 'Augusta' },
    });
  } finally {
    write.mockRestore();
  }
});

test('a message that a stop interrupts is sent at the next start', async () => {
  statuses = Array<number>(100).fill(503);
  await messages.stop();
  messages = new UserMessages(users, { url, secret, backOffMs: [60_000] });
  const [ada, bob] = [await signIn(), await signIn('bob@example.com')];
  await until(() => received.length === 2);
  await users.delete(bob);
  await messages.stop();

  [statuses, received] = [[], []];
  users = await DevelopmentUsers.load(join(directory, 'users.json'));
  messages = new UserMessages(users, { url, secret, backOffMs });
  const reloadedAda = users.find(ada.subject);
  if (reloadedAda === undefined) throw new Error('The user is not in the file.');
  await untilReported(reloadedAda);
  await until(() => received.length === 2);
  expect(received.map(({ type, data }) => [type, data.id]).sort()).toEqual([
    ['user.created', 'ada@example.com'],
    ['user.deleted', 'bob@example.com'],
  ]);
});
