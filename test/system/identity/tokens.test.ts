import { createHmac, createPublicKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, type JWTPayload } from 'jose';
import { clerkSender, created, longText } from '../../support/identity/clerk.js';
import { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { AUDIENCE } from '../../support/identity/issuer.js';
import { JwksServer } from '../../support/identity/jwks-server.js';
import { snapshot } from '../../support/galley/database-snapshot.js';
import { itRaces } from '../../support/it-races.js';

interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
}

const UNAUTHORIZED = '{"statusCode":401,"code":"unauthorized","message":"Unauthorized"}';
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'RS512', 'EdDSA'];

let galley: Galley;
let provider: JwksServer;

const nowInSeconds = () => Math.floor(Date.now() / 1000);
const getMe = (token?: string) => new Client(galley.url, token).get<{ user: User }>('/api/auth/me');

/** A token that is valid except for the given claims. A claim with the value undefined is left out. */
function tokenOf(
  claims: JWTPayload,
  header: { alg?: string; kid?: string; key?: string; [parameter: string]: unknown } = {},
) {
  const { alg = 'RS256', kid = alg, key = alg, ...others } = header;
  const valid = { sub: 'ada', iss: provider.url, aud: AUDIENCE, exp: nowInSeconds() + 3600 };
  return new SignJWT({ ...valid, ...claims })
    .setProtectedHeader({ ...others, alg, kid })
    .sign(provider.privateKey(key));
}

describe('a Galley with a provider of many keys', () => {
  beforeAll(async () => {
    provider = await JwksServer.start(ALGORITHMS);
    galley = await startGalley({ environment: { AUTH_ISSUER: provider.url } });
  });
  afterAll(async () => {
    await galley.stop();
    await provider.stop();
  });

  describe('a token', () => {
    const forgeToken = (header: object, claims: object, sign: (input: string) => string) => {
      const input = [header, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      return `${input}.${sign(input)}`;
    };
    const claims = () => ({
      sub: 'ada',
      iss: provider.url,
      aud: AUDIENCE,
      exp: nowInSeconds() + 3600,
    });
    const publicPem = () =>
      createPublicKey({ key: provider.publicKeys.get('RS256') ?? {}, format: 'jwk' }).export({
        type: 'spki',
        format: 'pem',
      });
    const signWithHmac = (key: string | Buffer) => (input: string) =>
      createHmac('sha256', key).update(input).digest('base64url');
    const tamperedToken = async () => {
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
      ['has parts that are not JSON', () => 'a.b.c'],
      ['has null as header', () => 'bnVsbA.e30.x'],
      ['has an empty header', () => forgeToken({}, claims(), () => 'x')],
      ['has numbers in its header', () => forgeToken({ alg: 1, kid: 2 }, claims(), () => 'x')],
      ['has a fourth part', async () => `${await tokenOf({})}.x`],
      ['expired 40 seconds ago', () => tokenOf({ exp: nowInSeconds() - 40 })],
      ['is not valid yet', () => tokenOf({ nbf: nowInSeconds() + 60 })],
      ['has another issuer', () => tokenOf({ iss: 'https://elsewhere.example' })],
      ['has no issuer', () => tokenOf({ iss: undefined })],
      ['is for another audience', () => tokenOf({ aud: 'another' })],
      ['is for other audiences', () => tokenOf({ aud: ['another', `${AUDIENCE}2`] })],
      ['has no audience', () => tokenOf({ aud: undefined })],
      ['never expires', () => tokenOf({ exp: undefined })],
      ['has a text as expiry', () => tokenOf({ exp: '9999999999' as unknown as number })],
      ['has no subject', () => tokenOf({ sub: undefined })],
      ['has an empty subject', () => tokenOf({ sub: '' })],
      ['has a number as subject', () => tokenOf({ sub: 7 as unknown as string })],
      ['has NUL in its subject', () => tokenOf({ sub: 'a\0b' })],
      // OpenID Connect Core 1.0, section 2, allows a subject of at most 255 ASCII characters.
      ['has a subject of 1,000 letters', () => tokenOf({ sub: longText(1000) })],
      ['names an unknown key', () => tokenOf({}, { kid: 'unknown' })],
      ['names no key although there are many', () => tokenOf({}, { kid: '' })],
      ['names a key of another algorithm', () => tokenOf({}, { kid: 'ES256' })],
      [
        'is signed with another key',
        () => tokenOf({}, { kid: 'RS256', key: 'RS512', alg: 'RS512' }),
      ],
      ...[
        'logout+jwt',
        'application/logout+jwt',
        'secevent+jwt',
        'dpop+jwt',
        'JWE',
        '',
        null,
        7,
      ].map((typ): [string, () => Promise<string>] => [
        `has the type ${JSON.stringify(typ)}`,
        () => tokenOf({}, { typ }),
      ]),
      ['says that it is compressed', () => tokenOf({}, { zip: 'DEF' })],
      ['was tampered with', tamperedToken],
      ['is not signed', () => forgeToken({ alg: 'none', kid: 'RS256' }, claims(), () => '')],
      ['is not signed, in upper case', () => forgeToken({ alg: 'NONE' }, claims(), () => '')],
      [
        'is signed with the public key as a shared secret',
        () => forgeToken({ alg: 'HS256', kid: 'RS256' }, claims(), signWithHmac(publicPem())),
      ],
      [
        'has an empty signature',
        () => forgeToken({ alg: 'HS256', kid: 'RS256' }, claims(), signWithHmac('')),
      ],
    ];

    it.each(refused)('that %s is refused and makes no user', async (_title, makeToken) => {
      const before = await snapshot(galley.database);
      const { status, text } = await getMe(await makeToken());
      expect([status, text]).toEqual([401, UNAUTHORIZED]);
      expect(await snapshot(galley.database)).toEqual(before);
    });

    const accepted: [string, () => Promise<string>][] = [
      ['has nothing unusual', () => tokenOf({})],
      ['expired 20 seconds ago', () => tokenOf({ exp: nowInSeconds() - 20 })],
      ['becomes valid in 20 seconds', () => tokenOf({ nbf: nowInSeconds() + 20 })],
      ['is for several audiences', () => tokenOf({ aud: ['another', AUDIENCE] })],
      ...['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'application/jwt'].map(
        (typ): [string, () => Promise<string>] => [
          `has the type ${typ}`,
          () => tokenOf({}, { typ }),
        ],
      ),
      ...ALGORITHMS.filter((alg) => alg !== 'EdDSA').map((alg): [string, () => Promise<string>] => [
        `is signed with ${alg}`,
        () => tokenOf({}, { alg }),
      ]),
    ];

    it.each(accepted)('that %s is accepted', async (_title, makeToken) => {
      expect((await getMe(await makeToken())).status).toBe(200);
    });
  });

  describe('GET /api/auth/me', () => {
    it('returns exactly the user, with the claims of the first token', async () => {
      const claims = { sub: 'grace', email: 'g@example.com', given_name: 'Grace' };
      const first = await getMe(await tokenOf({ ...claims, family_name: 'Hopper' }));
      const id: unknown = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-/);
      const user = { id, email: 'g@example.com', firstName: 'Grace', lastName: 'Hopper' };
      expect(first.body).toEqual({ user });
      expect((await getMe(await tokenOf({ ...claims, email: 'new@example.com' }))).body).toEqual(
        first.body,
      );
    });

    it('returns empty texts for claims that are missing or not texts', async () => {
      const claims = { sub: 'blank', email: 7, given_name: ['x'], family_name: 'a\0b' };
      const { body } = await getMe(await tokenOf(claims));
      expect(body.user).toMatchObject({ email: '', firstName: '', lastName: '' });
    });
  });
});

describe("a Galley with only the URL of its provider's keys", () => {
  beforeAll(async () => {
    provider = await JwksServer.start(ALGORITHMS);
    galley = await startGalley({
      environment: { AUTH_ISSUER: '', AUTH_JWKS_URI: `${provider.url}/keys` },
    });
  });
  afterAll(async () => {
    await galley.stop();
    await provider.stop();
  });

  it('accepts tokens', async () => {
    expect((await getMe(await tokenOf({ sub: 'ada' }))).status).toBe(200);
  });

  it.each(['urn:galley:invitation', 'urn:galley:key'])(
    'refuses tokens of the issuer %s',
    async (iss) => {
      expect((await getMe(await tokenOf({ iss }))).status).toBe(401);
    },
  );
});

describe('a Galley with the usual configuration', () => {
  beforeAll(async () => {
    galley = await startGalley();
  });
  afterAll(() => galley.stop());

  it("has no route for the provider's messages without a secret", async () => {
    const response = await clerkSender(galley.anonymous, SECRET)(created('ada', 1_000));
    expect([response.status, response.body]).toMatchObject([404, { statusCode: 404 }]);
    expect(await galley.database.count('users')).toBe(0);
  });

  itRaces(
    'creates one user for a hundred concurrent first requests, and fetches the keys once',
    async () => {
      const token = await galley.issuer.token('new');
      const responses = await Promise.all(Array.from({ length: 100 }, () => getMe(token)));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(responses.map(({ body }) => body.user.id)).size).toBe(1);
      expect(await galley.database.count('users')).toBe(1);
      expect(galley.issuer.keyRequests).toBe(1);
    },
  );

  it('fetches the keys at most once more when many tokens name unknown keys', async () => {
    const tokens = Array.from({ length: 50 }, (_, index) =>
      galley.issuer.token('ada', { keyId: `unknown-${index}` }),
    );
    const responses = await Promise.all((await Promise.all(tokens)).map((token) => getMe(token)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    expect(galley.issuer.keyRequests).toBeLessThanOrEqual(2);
    expect((await getMe(await galley.issuer.token('ada'))).status).toBe(200);
  });
});
