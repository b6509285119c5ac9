import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import {
  allProviders,
  logto,
  send,
  type Message,
  type UserEvent,
} from '../../support/identity/provider-messages.js';
import { snapshot } from '../../support/galley/database-snapshot.js';

const RUNS = 25;
const UNAUTHORIZED = '{"statusCode":401,"code":"unauthorized","message":"Unauthorized"}';
const RECEIVED = '{"received":true}';

interface UserState {
  first_name: string;
  email: string;
  status: string;
}

describe.each(allProviders)('messages of $name', (provider) => {
  const nextSecret =
    provider.name === 'clerk'
      ? `whsec_${randomBytes(32).toString('base64')}`
      : randomBytes(20).toString('hex');
  let galley: Galley;
  let subjectCount = 0;
  const newSubject = () => `${provider.name}|${++subjectCount}`;

  beforeAll(async () => {
    galley = await startGalley({
      environment: {
        AUTH_WEBHOOK_PROVIDER: provider.name,
        AUTH_WEBHOOK_SECRET: `${provider.secret}, ${nextSecret}`,
      },
    });
  });
  afterAll(() => galley.stop());

  const deliver = (outgoing: Message, headers?: Record<string, string>) =>
    send(galley.anonymous, provider, outgoing, headers);
  const stateOf = async (subject: string): Promise<UserState | undefined> => {
    const [row] = await galley.database.query<UserState>(
      'SELECT first_name, email, status FROM users WHERE subject = $1',
      [subject],
    );
    return row;
  };

  it('create, change and deactivate a user', async () => {
    const subject = newSubject();
    const getMe = async () => {
      const client = new Client(galley.url, await galley.issuer.token(subject));
      const { status, body } = await client.get<{ user?: { firstName: string } }>('/api/auth/me');
      return body.user?.firstName ?? status;
    };
    await deliver(provider.user({ kind: 'created', subject, at: 1_000 }));
    expect(await getMe()).toBe('Ada');
    const change = { kind: 'updated', subject, at: 2_000, firstName: 'Augusta' } as const;
    await deliver(provider.user(change));
    expect(await getMe()).toBe('Augusta');
    if (provider.name !== 'workos') {
      await deliver(provider.user({ ...change, at: 3_000, isBlocked: true }));
      expect(await getMe()).toBe(401);
      await deliver(provider.user({ ...change, at: 4_000 }));
      expect(await getMe()).toBe('Augusta');
    }
    await deliver(provider.user({ kind: 'deleted', subject, at: 5_000 }));
    expect(await getMe()).toBe(401);
  });

  it('end in the same user in whatever order and however often they arrive', async () => {
    const times = fc.constantFrom(1_000, 2_000, 3_000);
    const change = fc.record({ at: times, firstName: fc.constantFrom('Ada', 'Bea', 'Cleo') });
    const history = fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 4 }),
      isDeleted: fc.boolean(),
      order: fc.infiniteStream(fc.nat()),
      isParallel: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ changes, isDeleted, order, isParallel }) => {
        const subject = newSubject();
        const events = changes.map(({ at, firstName }, index): UserEvent => ({
          kind: index === 0 ? 'created' : 'updated',
          subject,
          at,
          firstName,
        }));
        if (isDeleted) events.push({ kind: 'deleted', subject, at: 1_500 });
        const messages = events.map((event) => provider.user(event));
        const first = await deliverAll([...messages], subject);
        const duplicatedMessages = [...messages, ...messages];
        const shuffled = duplicatedMessages
          .map((each) => ({ each, key: Number(order.next().value) }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        // Removes the user and the received messages, so that the second delivery starts from nothing.
        await galley.database.query('DELETE FROM users WHERE subject = $1', [subject]);
        await galley.database.query('DELETE FROM identity_provider_messages');
        const second = await deliverAll(shuffled, subject, isParallel);
        expect(second).toEqual(first);
        const latest = Math.max(...changes.map(({ at }) => at));
        const names = changes.filter(({ at }) => at === latest).map((each) => each.firstName);
        if (isDeleted) expect(first).toEqual({ first_name: '', email: '', status: 'deleted' });
        else expect(names).toContain(first?.first_name);
      }),
      { numRuns: RUNS },
    );
  });

  async function deliverAll(messages: Message[], subject: string, isParallel = false) {
    const statuses: number[] = [];
    const sendOne = async (each: Message) => statuses.push((await deliver(each)).status);
    if (isParallel) await Promise.all(messages.map(sendOne));
    else for (const each of messages) await sendOne(each);
    expect(new Set(statuses)).toEqual(new Set([200]));
    return stateOf(subject);
  }

  it.each(permutations(['created', 'updated', 'deleted'] as const))(
    'end in the same state as %s, %s, %s',
    async (...kinds) => {
      const subject = newSubject();
      const occurredAt = { created: 1_000, updated: 2_000, deleted: 3_000 };
      for (const kind of kinds) {
        const userMessage = provider.user({ kind, subject, at: occurredAt[kind] });
        await deliver(userMessage);
        await deliver(userMessage);
      }
      expect(await stateOf(subject)).toEqual({ first_name: '', email: '', status: 'deleted' });
    },
  );

  it('are accepted with either of two secrets, and with no other', async () => {
    const createMessage = () =>
      provider.user({ kind: 'created', subject: newSubject(), at: 1_000 });
    const signedMessage = createMessage();
    const response = await deliver(signedMessage, provider.headers(signedMessage, nextSecret));
    expect([response.status, response.text]).toEqual([200, RECEIVED]);
    const wrongSecret = provider.secret.replace(/.$/, (last) => (last === '=' ? 'A' : 'x'));
    const before = await snapshot(galley.database);
    const forgedMessage = createMessage();
    const tamperedMessage = createMessage();
    const responses = [
      await deliver(
        forgedMessage,
        provider.headers(forgedMessage, wrongSecret.replace('whsec_', 'whsec_A')),
      ),
      await deliver(forgedMessage, {}),
      ...(provider.name === 'auth0'
        ? []
        : [
            await deliver(
              { ...tamperedMessage, body: `${tamperedMessage.body} ` },
              provider.headers(tamperedMessage),
            ),
          ]),
    ];
    expect(responses.map(({ text }) => text)).toEqual(responses.map(() => UNAUTHORIZED));
    expect(await snapshot(galley.database)).toEqual(before);
  });

  const itWithTimestamp = provider.hasTime ? it : it.skip;
  itWithTimestamp('are taken for five minutes after they were signed, and before', async () => {
    const minutes = [-6, -4, 4, 6];
    const statuses = minutes.map(async (count) => {
      const userMessage = provider.user({ kind: 'created', subject: newSubject(), at: 1_000 });
      const signedAt = new Date(Date.now() + count * 60_000);
      return (await deliver(userMessage, provider.headers(userMessage, provider.secret, signedAt)))
        .status;
    });
    expect(await Promise.all(statuses)).toEqual([401, 200, 200, 401]);
  });

  it('of other types are acknowledged without effect', async () => {
    const before = await snapshot(galley.database);
    const knownMessage = provider.user({ kind: 'created', subject: newSubject(), at: 1_000 });
    for (const type of ['session.created', 'user.renamed', 'constructor', 'PostSignIn', 'x']) {
      const body = JSON.parse(knownMessage.body) as Record<string, unknown>;
      const unknownMessage = {
        ...knownMessage,
        body: JSON.stringify({ ...body, type, event: type }),
      };
      expect((await deliver(unknownMessage)).text).toBe(RECEIVED);
    }
    expect(await snapshot(galley.database)).toEqual(before);
  });

  it('of the wrong shape are refused and change nothing', async () => {
    const clearUsers = () =>
      galley.database.query('TRUNCATE users, identity_provider_messages CASCADE');
    await clearUsers();
    const before = await snapshot(galley.database);
    const knownMessage = provider.user({ kind: 'created', subject: newSubject(), at: 1_000 });
    const invalidValue = fc.oneof(
      fc.constant('x'.repeat(900_000)),
      fc.constantFrom(7, true, [], {}, ['x'], [null], -1, 1e300),
    );
    const paths = pathsOf(JSON.parse(knownMessage.body));
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), invalidValue, async (path, value) => {
        const body = JSON.parse(knownMessage.body) as object;
        setValueAt(body, path, value);
        const malformedMessage = { ...knownMessage, body: JSON.stringify(body) };
        const { status } = await deliver(malformedMessage);
        statuses.add(status);
        expect([200, 400]).toContain(status);
        if (status === 400) expect(await snapshot(galley.database)).toEqual(before);
        else await clearUsers();
      }),
      { numRuns: RUNS * 2 },
    );
    expect(statuses).toEqual(new Set([200, 400]));
  });

  it('deactivate a deleted user, whatever the rest of the message is', async () => {
    const subject = newSubject();
    await deliver(provider.user({ kind: 'created', subject, at: 1_000 }));
    const deletionMessage = provider.user({
      kind: 'deleted',
      subject,
      at: Date.parse('9999-01-01'),
    });
    expect((await deliver(deletionMessage)).status).toBe(200);
    expect(await stateOf(subject)).toMatchObject({ status: 'deleted' });
  });

  it('keep the storable part of a name, and deactivate a user whose name cannot be stored', async () => {
    if (provider.name === 'workos') return;
    for (const firstName of ['x'.repeat(1_000), 'a\0b\ud800c', '😀'.repeat(300)]) {
      const subject = newSubject();
      await deliver(provider.user({ kind: 'created', subject, at: 1_000 }));
      const suspension = {
        kind: 'updated',
        subject,
        at: 2_000,
        firstName,
        isBlocked: true,
      } as const;
      expect((await deliver(provider.user(suspension))).status).toBe(200);
      const state = await stateOf(subject);
      expect(state?.status).toBe('deactivated');
      const expectedName = Array.from(firstName.toWellFormed().replaceAll('\0', ''))
        .slice(0, 255)
        .join('');
      expect(state?.first_name).toBe(expectedName);
    }
  });

  it('that are too large are refused before their signature is checked', async () => {
    const oversizedMessage = {
      id: 'msg_1',
      body: JSON.stringify({ text: 'x'.repeat(1024 * 1024) }),
    };
    expect((await deliver(oversizedMessage)).status).toBe(413);
    expect((await deliver(oversizedMessage, {})).status).toBe(413);
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [
      item,
      ...rest,
    ]),
  );
}

type Path = (string | number)[];

/** The paths of all values in a message, whatever the type of the value is. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const ownPaths = path.length > 0 ? [path] : [];
  if (typeof value !== 'object' || value === null) return ownPaths;
  const nestedPaths = Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]));
  return [...ownPaths, ...nestedPaths];
}

function setValueAt(target: object, path: Path, value: unknown): void {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((each, key) => Reflect.get(each as object, key), target);
  Reflect.set(parent as object, path.at(-1) ?? '', value);
}

it('of Logto ignore data that users may write', async () => {
  const galley = await startGalley({
    environment: { AUTH_WEBHOOK_PROVIDER: 'logto', AUTH_WEBHOOK_SECRET: logto.secret },
  });
  try {
    const victim = logto.user({ kind: 'created', subject: 'victim', at: 1_000 });
    expect((await send(galley.anonymous, logto, victim)).status).toBe(200);
    const before = await snapshot(galley.database);
    const forged = {
      id: 'victim',
      isSuspended: true,
      primaryEmail: 'ceo@example.com',
      updatedAt: 9,
    };
    const forgedUpdates: object[] = [
      { path: '/users/attacker/custom-data', params: { userId: 'attacker' }, data: forged },
      { path: '/users/victim/custom-data', params: { userId: 'victim' }, data: forged },
      { path: '/api/users/victim/profile', params: { userId: 'victim' }, data: forged },
      { path: '/users/attacker', params: { userId: 'attacker' }, data: forged },
      { path: '/users/x', params: { id: 'fake-id' }, data: { result: 'success' } },
    ];
    for (const each of forgedUpdates) {
      const body = { hookId: 'h', event: 'User.Data.Updated', createdAt: new Date(), ...each };
      const forgedMessage = { id: '', body: JSON.stringify(body) };
      expect((await send(galley.anonymous, logto, forgedMessage)).status).toBe(200);
      expect(await snapshot(galley.database)).toEqual(before);
    }
    const path = '/users/victim/is-suspended';
    const suspension = {
      path,
      params: { userId: 'victim' },
      data: { ...forged, updatedAt: 2_000 },
    };
    const body = JSON.stringify({ event: 'User.SuspensionStatus.Updated', ...suspension });
    expect((await send(galley.anonymous, logto, { id: '', body })).status).toBe(200);
    expect(await galley.database.count(`users WHERE status = 'deactivated'`)).toBe(1);
  } finally {
    await galley.stop();
  }
});
