import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, type JWTPayload } from 'jose';
import { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { AUDIENCE } from '../../support/identity/issuer.js';
import { JwksServer } from '../../support/identity/jwks-server.js';
import { signInUsers, type TestUser } from '../../support/galley/users.js';
import { createResource } from '../../support/galley/resources.js';

const REALM = 'Bearer realm="Galley"';
const challengeOf = (error: string, description: string) =>
  `${REALM}, error="${error}", error_description="${description}"`;
const nowInSeconds = () => Math.floor(Date.now() / 1000);

let galley: Galley;
let provider: JwksServer;

/** A token that is valid except for the given claims. A claim with the value undefined is left out. */
function tokenOf(claims: JWTPayload, { kid = 'RS256' } = {}): Promise<string> {
  const valid = { sub: 'ada', iss: provider.url, aud: AUDIENCE, exp: nowInSeconds() + 3600 };
  return new SignJWT({ ...valid, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid })
    .sign(provider.privateKey('RS256'));
}

/** A signed token with a `crit` header that no library would sign. */
async function tokenWithCrit(crit: unknown): Promise<string> {
  const input = [
    { alg: 'RS256', kid: 'RS256', crit, urn: 1 },
    { sub: 'ada', iss: provider.url, aud: AUDIENCE, exp: nowInSeconds() + 3600 },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = await crypto.subtle.sign(
    'RSASSA-PKCS1-v1_5',
    provider.privateKey('RS256'),
    Buffer.from(input),
  );
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}

beforeAll(async () => {
  provider = await JwksServer.start(['RS256']);
  galley = await startGalley({ environment: { AUTH_ISSUER: provider.url } });
});
afterAll(async () => {
  await galley.stop();
  await provider.stop();
});

/** Requests /api/auth/me with one `Authorization` header for each of these values. */
async function requestMe(...authorization: string[]) {
  const clientRequest = request(new URL('/api/auth/me', galley.url));
  if (authorization.length > 0) clientRequest.setHeader('authorization', authorization);
  const [response] = (await once(clientRequest.end(), 'response')) as [IncomingMessage];
  return {
    status: response.statusCode,
    challenge: response.headers['www-authenticate'],
    body: await text(response),
  };
}

const UNAUTHORIZED = '{"statusCode":401,"code":"unauthorized","message":"Unauthorized"}';

describe('a token is refused with a reason:', () => {
  const refused: [what: string, make: () => Promise<string> | string, description: string][] = [
    ['expired', () => tokenOf({ exp: nowInSeconds() - 40 }), 'The token has expired.'],
    ['not yet valid', () => tokenOf({ nbf: nowInSeconds() + 60 }), 'The token is not valid yet.'],
    ['another audience', () => tokenOf({ aud: 'x' }), 'The token is for another audience.'],
    ['another issuer', () => tokenOf({ iss: 'https://x' }), 'The token is from another issuer.'],
    [
      'an unknown key',
      () => tokenOf({}, { kid: 'unknown' }),
      'The issuer publishes no key that matches the key id and algorithm of the token.',
    ],
    [
      'a wrong signature',
      async () => `${(await tokenOf({})).split('.').slice(0, 2).join('.')}.${'A'.repeat(342)}`,
      'The signature of the token is wrong.',
    ],
    [
      'no expiry',
      () => tokenOf({ exp: undefined }),
      'The token must have the claims iss, sub and exp.',
    ],
    ['no JWT', () => 'x', 'The token is not a well-formed JWT.'],
    ...[['urn'], ['exp'], [], ['urn', 'urn'], 'urn', null, {}, [1], true].map(
      (crit): [string, () => Promise<string>, string] => [
        `crit ${JSON.stringify(crit)}`,
        () => tokenWithCrit(crit),
        'The token has a critical header (crit) that is not supported.',
      ],
    ),
  ];

  it.each(refused)('%s', async (_title, makeToken, description) => {
    expect(await requestMe(`Bearer ${await makeToken()}`)).toEqual({
      status: 401,
      body: UNAUTHORIZED,
      challenge: challengeOf('invalid_token', description),
    });
  });

  const MALFORMED = challengeOf(
    'invalid_token',
    'Send exactly one Authorization header, in the form: Bearer <token>.',
  );
  const headers: [what: string, of: (token: string) => string[], challenge: string][] = [
    ['none', () => [], REALM],
    ['another scheme', (token) => [`Basic ${token}`], REALM],
    ['no scheme', (token) => [token], REALM],
    ['the scheme alone', () => ['Bearer'], REALM],
    ['something after the token', (token) => [`Bearer ${token} x`], MALFORMED],
    ['something before the scheme', (token) => [`x Bearer ${token}`], REALM],
    ['two tokens', (token) => [`Bearer ${token} ${token}`], MALFORMED],
    ['parameters', (token) => [`Bearer ${token}, realm=x`], MALFORMED],
    ['quotes', (token) => [`Bearer "${token}"`], MALFORMED],
    ['a tab', (token) => [`Bearer\t${token}`], MALFORMED],
    ['the same header twice', (token) => [`Bearer ${token}`, `Bearer ${token}`], MALFORMED],
    ['a second header', (token) => [`Bearer ${token}`, 'Basic YTpi'], MALFORMED],
    ['a first header', (token) => ['Basic YTpi', `Bearer ${token}`], MALFORMED],
  ];

  it.each(headers)('a header with %s', async (_title, valuesOf, challenge) => {
    const token = await tokenOf({});
    expect((await requestMe(`bEARER  ${token}`)).status).toBe(200);
    expect(await requestMe(...valuesOf(token))).toEqual({
      status: 401,
      body: UNAUTHORIZED,
      challenge,
    });
  });
});

describe('an authenticated caller is refused with a reason:', () => {
  let ada: TestUser;
  let bob: TestUser;
  let workspaceId: string;
  const clientOf = async (sub: string) => new Client(galley.url, await tokenOf({ sub }));
  const challengeTo = async (client: Client, path = '/api/auth/me') => {
    const { status, headers } = await client.get(path);
    return [status, headers.get('www-authenticate')];
  };

  beforeAll(async () => {
    ({ ada, bob } = await signInUsers({ clientFor: clientOf } as Galley, ['ada', 'bob']));
    workspaceId = await createResource(ada.client, '/api/workspaces', { name: 'Kitchen' });
  });

  it.each(['deactivated', 'deleted'])('a user who was %s', async (status) => {
    const name = `user ${status}`;
    const user = await clientOf(name);
    expect(await challengeTo(user)).toEqual([200, null]);
    await galley.database.query('UPDATE users SET status = $2 WHERE subject = $1', [name, status]);
    const description = 'The user is deactivated or deleted, or the API key is revoked.';
    expect(await challengeTo(user)).toEqual([401, challengeOf('invalid_token', description)]);
  });

  it('an API key that was revoked, or has expired', async () => {
    const keys = `/api/workspaces/${workspaceId}/keys`;
    const endsAt = Date.now() + 2_000;
    const expiresAt = new Date(endsAt).toISOString();
    const bodies = [
      { name: 'Revoked', role: 'viewer' },
      { name: 'Brief', role: 'viewer', expiresAt },
    ];
    const [revokedKey, briefKey] = await Promise.all(
      bodies.map(
        async (body) => (await ada.client.post<{ id: string; key: string }>(keys, body)).body,
      ),
    );
    await ada.client.delete(`${keys}/${revokedKey?.id}`);
    expect(await challengeTo(new Client(galley.url, revokedKey?.key))).toEqual([
      401,
      challengeOf('invalid_token', 'The API key does not exist, or has been revoked.'),
    ]);
    const client = new Client(galley.url, briefKey?.key);
    await eventually('the key to expire', () => Date.now() > endsAt);
    expect(await challengeTo(client)).toEqual([
      401,
      challengeOf('invalid_token', 'The API key has expired.'),
    ]);
  });

  it('a role that is too low', async () => {
    const missingRoleChallenge = (role: string) =>
      challengeOf('insufficient_scope', `Requires the ${role} role in the workspace.`);
    const path = `/api/workspaces/${workspaceId}`;
    expect(await challengeTo(bob.client, path)).toEqual([403, missingRoleChallenge('viewer')]);
    expect(await challengeTo(bob.client, `${path}/keys`)).toEqual([
      403,
      missingRoleChallenge('admin'),
    ]);
    await ada.client.post(`${path}/members`, { userId: bob.id, role: 'admin' });
    expect(await challengeTo(bob.client, `${path}/keys`)).toEqual([200, null]);
    const refusals = [
      await bob.client.delete(path),
      await bob.client.put(`${path}/members/${ada.id}`, { role: 'viewer' }),
    ];
    for (const { status, headers, body } of refusals) {
      expect([status, headers.get('www-authenticate')]).toEqual([
        403,
        missingRoleChallenge('owner'),
      ]);
      expect(body).toMatchObject({ message: 'Forbidden' });
    }
  });

  it('an API key that tries to create a workspace', async () => {
    const { body } = await ada.client.post<{ key: string }>(`/api/workspaces/${workspaceId}/keys`, {
      name: 'Shop',
      role: 'admin',
    });
    const client = new Client(galley.url, body.key);
    const { status, headers } = await client.post('/api/workspaces', { name: randomUUID() });
    expect([status, headers.get('www-authenticate')]).toEqual([
      403,
      challengeOf('insufficient_scope', 'API keys cannot create workspaces.'),
    ]);
  });
});
