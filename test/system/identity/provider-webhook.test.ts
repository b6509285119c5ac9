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
} from '../../support/identity/clerk.js';
import type { ApiResponse } from '../../support/api/api-response.js';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { snapshot } from '../../support/galley/database-snapshot.js';
import { itRaces } from '../../support/it-races.js';
import { startReadyProgram } from '../../support/processes/galley-programs.js';

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

const nowInSeconds = () => Math.floor(Date.now() / 1000);
const getMe = (token?: string) => new Client(galley.url, token).get<{ user: User }>('/api/auth/me');

describe('POST /api/auth/webhook', () => {
  const deliver = (body: unknown, sending?: Sending) =>
    clerkSender(galley.anonymous, SECRET)(body, sending);
  const statusOf = async (response: Promise<ApiResponse>) => (await response).status;
  const getMeAs = async (subject: string) => getMe(await galley.issuer.token(subject));
  const firstNameOf = async (subject: string) => (await getMeAs(subject)).body.user.firstName;
  let subjectCount = 0;
  const newSubject = () => `user_${++subjectCount}`;

  it.each(['webhook', 'svix'] as const)(
    'creates and changes users, signed in %s-…',
    async (prefix) => {
      const subject = newSubject();
      expect(await statusOf(deliver(created(subject, 1_000), { prefix }))).toBe(200);
      const { user } = (await getMeAs(subject)).body;
      const email = `first@${subject}.example`;
      expect(user).toEqual({ id: user.id, email, firstName: 'Ada', lastName: 'Lovelace' });
      const change = { first_name: 'Augusta', last_name: null };
      expect(await statusOf(deliver(updated(subject, 2_000, change), { prefix }))).toBe(200);
      const changed = { id: user.id, email, firstName: 'Augusta', lastName: '' };
      expect((await getMeAs(subject)).body).toEqual({ user: changed });
    },
  );

  it('accepts messages of other senders of Standard Webhooks', async () => {
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
      email: 'ada@example.com',
      verified_email: 'ada@example.com',
      first_name: 'Ada',
      at: new Date('2026-11-03T20:26:10.344Z'),
    });
  });

  itRaces('creates one user together with a hundred concurrent first requests', async () => {
    const subject = newSubject();
    const token = await galley.issuer.token(subject, { claims: { email_verified: true } });
    const requests = Array.from({ length: 100 }, () => getMe(token));
    const [webhookStatus, ...responses] = await Promise.all([
      statusOf(deliver(created(subject, Date.now() + 1_000))),
      ...requests,
    ]);
    expect(webhookStatus).toBe(200);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.user.id)).size).toBe(1);
    expect(await galley.database.count(`users WHERE subject = '${subject}'`)).toBe(1);
    expect(await firstNameOf(subject)).toBe('Ada');
  });

  it('changes a user whom a token created', async () => {
    const subject = newSubject();
    const { user } = (await getMeAs(subject)).body;
    await deliver(updated(subject, 1_000));
    expect((await getMeAs(subject)).body.user).toMatchObject({ id: user.id, firstName: 'Ada' });
  });

  it.each([
    ['null as primary address', { primary_email_address_id: null }, 'second@'],
    ['an unknown primary address', { primary_email_address_id: 'gone' }, 'second@'],
    ['no addresses', { email_addresses: [], primary_email_address_id: null }, ''],
  ])('accepts %s', async (_title, fields, expected) => {
    const subject = newSubject();
    expect(await statusOf(deliver(created(subject, 1_000, fields)))).toBe(200);
    const { email } = (await getMeAs(subject)).body.user;
    expect(email).toBe(expected && `${expected}${subject}.example`);
  });

  const minutesFromNow = (count: number) => new Date(Date.now() + count * 60_000);
  const signatureCases: [string, number, Sending][] = [
    ['is signed with another secret', 401, { secret: `whsec_${'A'.repeat(43)}=` }],
    ['was tampered with', 401, { signed: '{}' }],
    ['is six minutes old', 401, { signedAt: minutesFromNow(-6) }],
    ['has a time in the future', 401, { signedAt: minutesFromNow(6) }],
    [
      'has a time that was not signed',
      401,
      { headers: { 'webhook-timestamp': `${nowInSeconds() - 9}` } },
    ],
    ['has an id that was not signed', 401, { headers: { 'webhook-id': 'msg_other' } }],
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
    ['is four minutes old', 200, { signedAt: minutesFromNow(-4) }],
  ];

  it.each(signatureCases)('that %s is %i', async (_title, status, signing) => {
    const before = await snapshot(galley.database);
    const response = await deliver(created(newSubject(), 1_000), signing);
    expect([response.status, response.text]).toEqual([
      status,
      status === 401 ? UNAUTHORIZED : '{"received":true}',
    ]);
    if (status === 401) expect(await snapshot(galley.database)).toEqual(before);
    else expect(await snapshot(galley.database)).not.toEqual(before);
  });

  it('without any headers is 401, whatever its body', async () => {
    const response = await galley.anonymous.post('/api/auth/webhook', deleted('ada', 1));
    expect([response.status, response.text]).toEqual([401, UNAUTHORIZED]);
    expect((await galley.anonymous.post('/api/auth/webhook')).status).toBe(401);
  });

  it('has no second effect with the same id', async () => {
    const subject = newSubject();
    const id = `msg_${randomUUID()}`;
    await deliver(created(subject, 1_000), { id });
    await deliver(updated(subject, 2_000, { first_name: 'Second' }), { id });
    expect(await firstNameOf(subject)).toBe('Ada');
    const sameId = { id: `msg_${randomUUID()}` };
    const duplicateStatuses = Array.from({ length: 10 }, () =>
      statusOf(deliver(updated(subject, 3_000, { first_name: 'Third' }), sameId)),
    );
    expect(await Promise.all(duplicateStatuses)).toEqual(duplicateStatuses.map(() => 200));
    expect(await firstNameOf(subject)).toBe('Third');
  });

  it('does not revert newer data', async () => {
    const subject = newSubject();
    await deliver(updated(subject, 2_000, { first_name: 'New' }));
    expect(await statusOf(deliver(created(subject, 1_000, { first_name: 'Old' })))).toBe(200);
    expect(await firstNameOf(subject)).toBe('New');
  });

  const statusesFor = async (subject: string, workspaceId: string) => {
    const client = new Client(galley.url, await galley.issuer.token(subject));
    const responses = await Promise.all([
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
    return responses.map(({ status }) => status);
  };
  const repeatedStatus = (status: number) => Array.from({ length: 11 }, () => status);

  it.each([
    ['deleted', (subject: string) => deleted(subject, 2_000)],
    ['deleted long ago', (subject: string) => deleted(subject, 1)],
    ['banned', (subject: string) => updated(subject, 2_000, { banned: true })],
  ])('refuses a user who is %s, from the next request on', async (_title, messageOf) => {
    const subject = newSubject();
    await deliver(created(subject, 1_000));
    const client = new Client(galley.url, await galley.issuer.token(subject));
    const { body } = await client.post<User>('/api/workspaces', { name: 'Mine' });
    const before = await statusesFor(subject, body.id);
    expect(before).toEqual([200, 200, 201, 200, 200, 200, 201, 201, 404, 404, 200]);
    expect(await statusOf(deliver(messageOf(subject)))).toBe(200);
    expect(await statusesFor(subject, body.id)).toEqual(repeatedStatus(401));
  });

  it('admits a user who is no longer banned, but never a deleted one', async () => {
    const [bannedSubject, deletedSubject] = [newSubject(), newSubject()];
    await deliver(created(bannedSubject, 1_000, { banned: true }));
    await deliver(deleted(deletedSubject, 1_000));
    expect([(await getMeAs(bannedSubject)).status, (await getMeAs(deletedSubject)).status]).toEqual(
      [401, 401],
    );
    await deliver(updated(bannedSubject, 2_000, { banned: false }));
    await deliver(created(deletedSubject, 2_000));
    expect([(await getMeAs(bannedSubject)).status, (await getMeAs(deletedSubject)).status]).toEqual(
      [200, 401],
    );
  });

  it('erases the data of a deleted user', async () => {
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

  it.each(misshapen)('is 400 and changes nothing with %s', async (_title, body) => {
    const before = await snapshot(galley.database);
    const id = `msg_${randomUUID()}`;
    const response = await deliver(body, { id });
    expect([response.status, response.body]).toMatchObject([400, { statusCode: 400 }]);
    expect(await snapshot(galley.database)).toEqual(before);
    // The message is not stored as received, so the provider can send it again after it is corrected.
    const subject = newSubject();
    await deliver(created(subject, 1_000, { first_name: 'Mended' }), { id });
    expect(await firstNameOf(subject)).toBe('Mended');
  });

  it('is logged with each request, and its unreadable field is logged once, without personal data', async () => {
    const environment = { ...galley.environment, LOG_LEVEL: 'info' };
    const { program: api, url: baseUrl } = await startReadyProgram('api', environment);
    try {
      const deliverTo = clerkSender(new Client(baseUrl), SECRET);
      const invalidMessage = created('user_secretive', 1_000, {
        first_name: 7,
        last_name: 'Secretive',
      });
      for (let attempt = 1; attempt <= 3; attempt++) {
        expect(await statusOf(deliverTo(invalidMessage, { id: 'msg_poison' }))).toBe(400);
      }
      const otherInvalidMessage = created('user_secretive', 1_000, { banned: 'secretive' });
      expect(await statusOf(deliverTo(otherInvalidMessage))).toBe(400);
      await api.waitForOutput('data.banned must be true or false');
      const lines = api.output
        .split('\n')
        .filter((line) => line.includes('identity provider message'));
      expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual([
        'data.first_name',
        'data.banned',
      ]);
      const token = await galley.issuer.token('secretive');
      await new Client(baseUrl, token).get('/api/workspaces?cursor=secretive');
      await api.waitForOutput('"path":"/api/workspaces"');
      const [line = ''] = /^.*"path":"\/api\/workspaces".*$/m.exec(api.output) ?? [];
      expect(JSON.parse(line)).toMatchObject({ method: 'GET', statusCode: 400 });
      expect(line).toMatch(/"requestId":"[\w-]{36}"/);
      expect(api.output).not.toContain('/health/ready"');
      expect(api.output).not.toContain(token);
      expect(api.output).not.toMatch(/secretive/i);
    } finally {
      api.signal('SIGTERM');
      await api.exited;
    }
  });
});
