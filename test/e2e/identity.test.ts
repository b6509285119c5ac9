import { createHmac, createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, type JWTPayload } from 'jose';
import {
  clerkSender,
  created,
  deleted,
  longText,
  message,
  misshapen,
  updated,
  type Sending,
} from '../support/clerk.js';
import { Client, type Answer } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';
import { AUDIENCE } from '../support/issuer.js';
import { KeyServer } from '../support/key-server.js';
import { snapshot } from '../support/snapshot.js';

interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
}

const UNAUTHORIZED = '{"statusCode":401,"message":"Unauthorized"}';
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'RS512', 'EdDSA'];

let galley: Galley;
let provider: KeyServer;

const seconds = () => Math.floor(Date.now() / 1000);
const me = (token?: string) => new Client(galley.url, token).get<{ user: User }>('/api/auth/me');

/** A valid token but for what is given; undefined leaves a claim out. */
function tokenOf(claims: JWTPayload, header: { alg?: string; kid?: string; key?: string } = {}) {
  const { alg = 'RS256', kid = alg, key = alg } = header;
  const valid = { sub: 'ada', iss: provider.url, aud: AUDIENCE, exp: seconds() + 3600 };
  return new SignJWT({ ...valid, ...claims })
    .setProtectedHeader({ alg, kid })
    .sign(provider.privateKey(key));
}

// One after another, because passport keeps one strategy for the process: that of the latest service.
describe('a Galley with a provider of many keys and a webhook', () => {
  beforeAll(async () => {
    provider = await KeyServer.start(ALGORITHMS);
    const environment = { AUTH_ISSUER: provider.url, AUTH_WEBHOOK_SECRET: SECRET };
    galley = await startGalley({ environment });
  });
  afterAll(async () => {
    await galley.stop();
    await provider.stop();
  });

  describe('a token', () => {
    const unsigned = (header: object, claims: object, sign: (input: string) => string) => {
      const input = [header, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      return `${input}.${sign(input)}`;
    };
    const claims = () => ({ sub: 'ada', iss: provider.url, aud: AUDIENCE, exp: seconds() + 3600 });
    const publicPem = () =>
      createPublicKey({ key: provider.publicKeys.get('RS256') ?? {}, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      });
    const hmac = (key: string | Buffer) => (input: string) =>
      createHmac('sha256', key).update(input).digest('base64url');
    const changed = async () => {
      const [header, , signature] = (await tokenOf({})).split('.');
      const payload = Buffer.from(JSON.stringify({ ...claims(), sub: 'eve' })).toString(
        'base64url',
      );
      return `${header ?? ''}.${payload}.${signature ?? ''}`;
    };

    const refused: [string, () => string | undefined | Promise<string>][] = [
      ['is missing', () => undefined],
      ['is empty', () => ' '],
      ['is no token', () => 'not-a-token'],
      ['has parts that are no JSON', () => 'a.b.c'],
      ['has null as header', () => 'bnVsbA.e30.x'],
      ['has an empty header', () => unsigned({}, claims(), () => 'x')],
      ['has numbers in its header', () => unsigned({ alg: 1, kid: 2 }, claims(), () => 'x')],
      ['has a fourth part', async () => `${await tokenOf({})}.x`],
      ['expired 40 seconds ago', () => tokenOf({ exp: seconds() - 40 })],
      ['is not valid yet', () => tokenOf({ nbf: seconds() + 60 })],
      ['is of another issuer', () => tokenOf({ iss: 'https://elsewhere.example' })],
      ['has no issuer', () => tokenOf({ iss: undefined })],
      ['is for another audience', () => tokenOf({ aud: 'another' })],
      ['is for other audiences', () => tokenOf({ aud: ['another', `${AUDIENCE}2`] })],
      ['has no audience', () => tokenOf({ aud: undefined })],
      ['never expires', () => tokenOf({ exp: undefined })],
      ['expires at a text', () => tokenOf({ exp: '9999999999' as unknown as number })],
      ['has no subject', () => tokenOf({ sub: undefined })],
      ['has an empty subject', () => tokenOf({ sub: '' })],
      ['has a number as subject', () => tokenOf({ sub: 7 as unknown as string })],
      ['has NUL in its subject', () => tokenOf({ sub: 'a\0b' })],
      // OpenID Connect Core 1.0, section 2, allows 255 ASCII characters.
      ['has a subject of 1000 letters', () => tokenOf({ sub: longText(1000) })],
      ['names an unknown key', () => tokenOf({}, { kid: 'unknown' })],
      ['names no key among many', () => tokenOf({}, { kid: '' })],
      ['names the key of another algorithm', () => tokenOf({}, { kid: 'ES256' })],
      [
        'is signed with another key',
        () => tokenOf({}, { kid: 'RS256', key: 'RS512', alg: 'RS512' }),
      ],
      ['was tampered with', changed],
      ['is not signed', () => unsigned({ alg: 'none', kid: 'RS256' }, claims(), () => '')],
      ['is not signed, in capitals', () => unsigned({ alg: 'NONE' }, claims(), () => '')],
      [
        'is signed with the public key as a shared secret',
        () => unsigned({ alg: 'HS256', kid: 'RS256' }, claims(), hmac(publicPem())),
      ],
      [
        'is signed with nothing',
        () => unsigned({ alg: 'HS256', kid: 'RS256' }, claims(), hmac('')),
      ],
    ];

    it.each(refused)('that %s is refused and makes no user', async (_what, make) => {
      const before = await snapshot(galley.database);
      const { status, text } = await me(await make());
      expect([status, text]).toEqual([401, UNAUTHORIZED]);
      expect(await snapshot(galley.database)).toEqual(before);
    });

    const accepted: [string, () => Promise<string>][] = [
      ['is plain', () => tokenOf({})],
      ['expired 20 seconds ago', () => tokenOf({ exp: seconds() - 20 })],
      ['becomes valid in 20 seconds', () => tokenOf({ nbf: seconds() + 20 })],
      ['is for several audiences', () => tokenOf({ aud: ['another', AUDIENCE] })],
      ...ALGORITHMS.filter((alg) => alg !== 'EdDSA').map((alg): [string, () => Promise<string>] => [
        `is signed with ${alg}`,
        () => tokenOf({}, { alg }),
      ]),
    ];

    it.each(accepted)('that %s is accepted', async (_what, make) => {
      expect((await me(await make())).status).toBe(200);
    });
  });

  describe('GET /api/auth/me', () => {
    it('gives exactly the user, with the claims of the first token', async () => {
      const claims = { sub: 'grace', email: 'g@example.com', given_name: 'Grace' };
      const first = await me(await tokenOf({ ...claims, family_name: 'Hopper' }));
      const id: unknown = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-/);
      const user = { id, email: 'g@example.com', firstName: 'Grace', lastName: 'Hopper' };
      expect(first.body).toEqual({ user });
      expect((await me(await tokenOf({ ...claims, email: 'new@example.com' }))).body).toEqual(
        first.body,
      );
    });

    it('gives empty texts for claims that are missing or no texts', async () => {
      const claims = { sub: 'blank', email: 7, given_name: ['x'], family_name: 'a\0b' };
      const { body } = await me(await tokenOf(claims));
      expect(body.user).toMatchObject({ email: '', firstName: '', lastName: '' });
    });
  });

  describe('POST /api/auth/webhook', () => {
    const deliver = (body: unknown, sending?: Sending) =>
      clerkSender(galley.nobody, SECRET)(body, sending);
    const statusOf = async (answer: Promise<Answer>) => (await answer).status;
    const meAs = async (subject: string) => me(await tokenOf({ sub: subject }));
    const firstNameOf = async (subject: string) => (await meAs(subject)).body.user.firstName;
    let subjects = 0;
    const newSubject = () => `user_${++subjects}`;

    it.each(['webhook', 'svix'] as const)(
      'makes and changes users, signed in %s-…',
      async (prefix) => {
        const subject = newSubject();
        expect(await statusOf(deliver(created(subject, 1_000), { prefix }))).toBe(204);
        const { user } = (await meAs(subject)).body;
        const email = `first@${subject}.example`;
        expect(user).toEqual({ id: user.id, email, firstName: 'Ada', lastName: 'Lovelace' });
        const change = { first_name: 'Augusta', last_name: null };
        expect(await statusOf(deliver(updated(subject, 2_000, change), { prefix }))).toBe(204);
        const changed = { id: user.id, email, firstName: 'Augusta', lastName: '' };
        expect((await meAs(subject)).body).toEqual({ user: changed });
      },
    );

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
      expect(await statusOf(deliver(created(subject, 1_000, fields)))).toBe(204);
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
      ['is four minutes old', 204, { signedAt: minutes(-4) }],
    ];

    it.each(signed)('that %s is %i', async (_what, status, sent) => {
      const before = await snapshot(galley.database);
      const answer = await deliver(created(newSubject(), 1_000), sent);
      expect([answer.status, answer.text]).toEqual([status, status === 401 ? UNAUTHORIZED : '']);
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
      expect(await Promise.all(parallel)).toEqual(parallel.map(() => 204));
      expect(await firstNameOf(subject)).toBe('Third');
    });

    it('does not undo what is newer', async () => {
      const subject = newSubject();
      await deliver(updated(subject, 2_000, { first_name: 'New' }));
      expect(await statusOf(deliver(created(subject, 1_000, { first_name: 'Old' })))).toBe(204);
      expect(await firstNameOf(subject)).toBe('New');
    });

    const statuses = async (subject: string, workspaceId: string) => {
      const client = new Client(galley.url, await tokenOf({ sub: subject }));
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
      const client = new Client(galley.url, await tokenOf({ sub: subject }));
      const { body } = await client.post<User>('/api/workspaces', { name: 'Mine' });
      const before = await statuses(subject, body.id);
      expect(before).toEqual([200, 200, 201, 200, 200, 200, 201, 201, 404, 404, 200]);
      expect(await statusOf(deliver(messageOf(subject)))).toBe(204);
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

    it.each(['session.created', 'user', 'user.renamed', '', 'constructor'])(
      'acknowledges %j without effect',
      async (type) => {
        const before = await snapshot(galley.database);
        expect(await statusOf(deliver(message(type, { id: 'ada', deleted: true })))).toBe(204);
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
  });
});

describe('a Galley with a provider that is known by its keys alone', () => {
  beforeAll(async () => {
    provider = await KeyServer.start(ALGORITHMS);
    galley = await startGalley({
      environment: { AUTH_ISSUER: '', AUTH_JWKS_URI: `${provider.url}/keys` },
    });
  });
  afterAll(async () => {
    await galley.stop();
    await provider.stop();
  });

  it('lets its users in', async () => {
    expect((await me(await tokenOf({ sub: 'ada' }))).status).toBe(200);
  });
});

describe('a Galley as it is', () => {
  beforeAll(async () => {
    galley = await startGalley();
  });
  afterAll(() => galley.stop());

  it('has no webhook for the provider without a secret', async () => {
    const answer = await clerkSender(galley.nobody, SECRET)(created('ada', 1_000));
    expect([answer.status, answer.body]).toMatchObject([404, { statusCode: 404 }]);
    expect(await galley.database.count('users')).toBe(0);
  });

  it('makes one user of a hundred first requests, and asks for the keys once', async () => {
    const token = await galley.issuer.token('new');
    const answers = await Promise.all(Array.from({ length: 100 }, () => me(token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    expect(await galley.database.count('users')).toBe(1);
    expect(galley.issuer.keyRequests).toBe(1);
  });

  it('asks for the keys hardly more often when a flood of tokens names unknown ones', async () => {
    const tokens = Array.from({ length: 50 }, (_, index) =>
      galley.issuer.token('ada', { keyId: `unknown-${index}` }),
    );
    const answers = await Promise.all((await Promise.all(tokens)).map((token) => me(token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(galley.issuer.keyRequests).toBeLessThanOrEqual(2);
    expect((await me(await galley.issuer.token('ada'))).status).toBe(200);
  });
});
