import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  clerkSender,
  created,
  deleted,
  message,
  misshapen,
  updated,
  type Sending,
} from '../support/clerk.js';
import { tryPort } from '../../apps/standalone/ports.js';
import type { Answer } from '../support/answer.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { Program } from '../support/process.js';
import { snapshot } from '../support/snapshot.js';

interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
}

const UNAUTHORIZED = '{"statusCode":401,"code":"unauthorized","message":"Unauthorized"}';
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

let galley: Galley;

beforeAll(async () => {
  galley = await startGalley({ environment: { AUTH_WEBHOOK_SECRET: SECRET } });
});
afterAll(() => galley.stop());

const seconds = () => Math.floor(Date.now() / 1000);
const me = (token?: string) => new Client(galley.url, token).get<{ user: User }>('/api/auth/me');

describe('POST /api/auth/webhook', () => {
  const deliver = (body: unknown, sending?: Sending) =>
    clerkSender(galley.nobody, SECRET)(body, sending);
  const statusOf = async (answer: Promise<Answer>) => (await answer).status;
  const meAs = async (subject: string) => me(await galley.issuer.token(subject));
  const firstNameOf = async (subject: string) => (await meAs(subject)).body.user.firstName;
  let subjects = 0;
  const newSubject = () => `user_${++subjects}`;

  it.each(['webhook', 'svix'] as const)(
    'makes and changes users, signed in %s-…',
    async (prefix) => {
      const subject = newSubject();
      expect(await statusOf(deliver(created(subject, 1_000), { prefix }))).toBe(200);
      const { user } = (await meAs(subject)).body;
      const email = `first@${subject}.example`;
      expect(user).toEqual({ id: user.id, email, firstName: 'Ada', lastName: 'Lovelace' });
      const change = { first_name: 'Augusta', last_name: null };
      expect(await statusOf(deliver(updated(subject, 2_000, change), { prefix }))).toBe(200);
      const changed = { id: user.id, email, firstName: 'Augusta', lastName: '' };
      expect((await meAs(subject)).body).toEqual({ user: changed });
    },
  );

  it('takes what other senders of Standard Webhooks say', async () => {
    const subject = newSubject();
    const data = { id: subject, email: 'ada@example.com', email_verified: true, first_name: 'Ada' };
    const body = { type: 'user.created', timestamp: '2026-11-03T20:26:10.344522Z', data };
    expect(await statusOf(deliver(body))).toBe(200);
    const [user] = await galley.database.query(
      `SELECT email, verified_email, first_name, provider_updated_at AS at FROM users
       WHERE subject = $1`,
      [subject],
    );
    expect(user).toEqual({
      ...{ email: 'ada@example.com', verified_email: 'ada@example.com', first_name: 'Ada' },
      at: new Date('2026-11-03T20:26:10.344Z'),
    });
  });

  it('makes one user with a hundred first requests that come at the same time', async () => {
    const subject = newSubject();
    const token = await galley.issuer.token(subject, { claims: { email_verified: true } });
    const requests = Array.from({ length: 100 }, () => me(token));
    const [sent, ...answers] = await Promise.all([
      statusOf(deliver(created(subject, Date.now() + 1_000))),
      ...requests,
    ]);
    expect(sent).toBe(200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    expect(await galley.database.count(`users WHERE subject = '${subject}'`)).toBe(1);
    expect(await firstNameOf(subject)).toBe('Ada');
  });

  it('changes a user who was first seen in a token', async () => {
    const subject = newSubject();
    const { user } = (await meAs(subject)).body;
    await deliver(updated(subject, 1_000));
    expect((await meAs(subject)).body.user).toMatchObject({ id: user.id, firstName: 'Ada' });
  });

  it.each([
    ['null as primary address', { primary_email_address_id: null }, 'second@'],
    ['an unknown primary address', { primary_email_address_id: 'gone' }, 'second@'],
    ['no addresses', { email_addresses: [], primary_email_address_id: null }, ''],
  ])('takes %s', async (_what, fields, expected) => {
    const subject = newSubject();
    expect(await statusOf(deliver(created(subject, 1_000, fields)))).toBe(200);
    const { email } = (await meAs(subject)).body.user;
    expect(email).toBe(expected && `${expected}${subject}.example`);
  });

  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  const signed: [string, number, Sending][] = [
    ['is signed with another secret', 401, { secret: `whsec_${'A'.repeat(43)}=` }],
    ['was tampered with', 401, { signed: '{}' }],
    ['is six minutes old', 401, { signedAt: minutes(-6) }],
    ['comes from the future', 401, { signedAt: minutes(6) }],
    [
      'has another time than was signed',
      401,
      { headers: { 'webhook-timestamp': `${seconds() - 9}` } },
    ],
    ['has another id than was signed', 401, { headers: { 'webhook-id': 'msg_other' } }],
    ...['id', 'timestamp', 'signature'].map((name): [string, number, Sending] => [
      `has no ${name}`,
      401,
      { headers: { [`webhook-${name}`]: '' } },
    ]),
    ...['v1', 'v1,', 'v1,x', 'v2,x', 'x', 'v1a,x', ','].map((text): [string, number, Sending] => [
      `has the signature '${text}'`,
      401,
      { headers: { 'webhook-signature': text } },
    ]),
    ['is four minutes old', 200, { signedAt: minutes(-4) }],
  ];

  it.each(signed)('that %s is %i', async (_what, status, sent) => {
    const before = await snapshot(galley.database);
    const answer = await deliver(created(newSubject(), 1_000), sent);
    expect([answer.status, answer.text]).toEqual([
      status,
      status === 401 ? UNAUTHORIZED : '{"received":true}',
    ]);
    if (status === 401) expect(await snapshot(galley.database)).toEqual(before);
    else expect(await snapshot(galley.database)).not.toEqual(before);
  });

  it('without any headers is 401, whatever it holds', async () => {
    const answer = await galley.nobody.post('/api/auth/webhook', deleted('ada', 1));
    expect([answer.status, answer.text]).toEqual([401, UNAUTHORIZED]);
    expect((await galley.nobody.post('/api/auth/webhook')).status).toBe(401);
  });

  it('has no second effect with the same id', async () => {
    const subject = newSubject();
    const id = `msg_${randomUUID()}`;
    await deliver(created(subject, 1_000), { id });
    await deliver(updated(subject, 2_000, { first_name: 'Second' }), { id });
    expect(await firstNameOf(subject)).toBe('Ada');
    const again = { id: `msg_${randomUUID()}` };
    const parallel = Array.from({ length: 10 }, () =>
      statusOf(deliver(updated(subject, 3_000, { first_name: 'Third' }), again)),
    );
    expect(await Promise.all(parallel)).toEqual(parallel.map(() => 200));
    expect(await firstNameOf(subject)).toBe('Third');
  });

  it('does not undo what is newer', async () => {
    const subject = newSubject();
    await deliver(updated(subject, 2_000, { first_name: 'New' }));
    expect(await statusOf(deliver(created(subject, 1_000, { first_name: 'Old' })))).toBe(200);
    expect(await firstNameOf(subject)).toBe('New');
  });

  const statuses = async (subject: string, workspaceId: string) => {
    const client = new Client(galley.url, await galley.issuer.token(subject));
    const answers = await Promise.all([
      client.get('/api/auth/me'),
      client.get('/api/workspaces'),
      client.post('/api/workspaces', { name: 'Another' }),
      client.get(`/api/workspaces/${workspaceId}`),
      client.put(`/api/workspaces/${workspaceId}`, { name: 'Renamed' }),
      client.get(`/api/templates?workspaceId=${workspaceId}`),
      client.post('/api/templates', { name: 'A', workspaceId }),
      client.post('/api/modules', { name: 'A', workspaceId, content: {} }),
      client.get(`/api/modules/${workspaceId}`),
      client.get(`/api/templates/${workspaceId}/versions/1`),
      client.get(`/api/webhooks?workspaceId=${workspaceId}`),
    ]);
    return answers.map(({ status }) => status);
  };
  const all = (status: number) => Array.from({ length: 11 }, () => status);

  it.each([
    ['deleted', (subject: string) => deleted(subject, 2_000)],
    ['deleted long ago', (subject: string) => deleted(subject, 1)],
    ['banned', (subject: string) => updated(subject, 2_000, { banned: true })],
  ])('shuts out whoever is %s, from the next request on', async (_what, messageOf) => {
    const subject = newSubject();
    await deliver(created(subject, 1_000));
    const client = new Client(galley.url, await galley.issuer.token(subject));
    const { body } = await client.post<User>('/api/workspaces', { name: 'Mine' });
    const before = await statuses(subject, body.id);
    expect(before).toEqual([200, 200, 201, 200, 200, 200, 201, 201, 404, 404, 200]);
    expect(await statusOf(deliver(messageOf(subject)))).toBe(200);
    expect(await statuses(subject, body.id)).toEqual(all(401));
  });

  it('lets in again who is no longer banned, but never who was deleted', async () => {
    const [banned, gone] = [newSubject(), newSubject()];
    await deliver(created(banned, 1_000, { banned: true }));
    await deliver(deleted(gone, 1_000));
    expect([(await meAs(banned)).status, (await meAs(gone)).status]).toEqual([401, 401]);
    await deliver(updated(banned, 2_000, { banned: false }));
    await deliver(created(gone, 2_000));
    expect([(await meAs(banned)).status, (await meAs(gone)).status]).toEqual([200, 401]);
  });

  it('keeps nothing of who was deleted', async () => {
    const subject = newSubject();
    await deliver(created(subject, 1_000));
    await deliver(deleted(subject, 2_000));
    const rows = await galley.database.query(
      'SELECT email, first_name, last_name, status FROM users WHERE subject = $1',
      [subject],
    );
    expect(rows).toEqual([{ email: '', first_name: '', last_name: '', status: 'deleted' }]);
  });

  it.each(['session.created', 'user', 'user.renamed', 'constructor'])(
    'acknowledges %j without effect',
    async (type) => {
      const before = await snapshot(galley.database);
      expect(await statusOf(deliver(message(type, { id: 'ada', deleted: true })))).toBe(200);
      expect(await snapshot(galley.database)).toEqual(before);
    },
  );

  it.each(misshapen)('is 400 and changes nothing with %s', async (_what, body) => {
    const before = await snapshot(galley.database);
    const id = `msg_${randomUUID()}`;
    const answer = await deliver(body, { id });
    expect([answer.status, answer.body]).toMatchObject([400, { statusCode: 400 }]);
    expect(await snapshot(galley.database)).toEqual(before);
    // It does not count as received, so that the provider may send it again when it is mended.
    const subject = newSubject();
    await deliver(created(subject, 1_000, { first_name: 'Mended' }), { id });
    expect(await firstNameOf(subject)).toBe('Mended');
  });

  it('is in the log with each request, and once with what cannot be read of it, but not with whom it is about', async () => {
    const port = await tryPort(0);
    const environment = {
      ...{ ...galley.environment, NODE_OPTIONS: '', LOG_LEVEL: 'info', PORT: String(port) },
    };
    const api = new Program(process.execPath, ['dist/apps/api/main.js'], environment);
    try {
      const base = `http://127.0.0.1:${port}`;
      const isReady = () =>
        fetch(`${base}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      await eventually('the API to be ready', isReady);
      const sendTo = clerkSender(new Client(base), SECRET);
      const poison = created('user_secretive', 1_000, { first_name: 7, last_name: 'Secretive' });
      for (let time = 1; time <= 3; time++) {
        expect(await statusOf(sendTo(poison, { id: 'msg_poison' }))).toBe(400);
      }
      const other = created('user_secretive', 1_000, { banned: 'secretive' });
      expect(await statusOf(sendTo(other))).toBe(400);
      await api.prints('data.banned must be true or false');
      const lines = api.output
        .split('\n')
        .filter((line) => line.includes('identity provider message'));
      expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual([
        'data.first_name',
        'data.banned',
      ]);
      const person = await galley.issuer.token('secretive');
      await new Client(base, person).get('/api/workspaces?cursor=secretive');
      await api.prints('"path":"/api/workspaces"');
      const [line = ''] = /^.*"path":"\/api\/workspaces".*$/m.exec(api.output) ?? [];
      expect(JSON.parse(line)).toMatchObject({ method: 'GET', statusCode: 400 });
      expect(line).toMatch(/"requestId":"[\w-]{36}"/);
      expect(api.output).not.toContain('/health/ready"');
      expect(api.output).not.toContain(person);
      expect(api.output).not.toMatch(/secretive/i);
    } finally {
      api.signal('SIGTERM');
      await api.exited;
    }
  });
});
