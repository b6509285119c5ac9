import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { SigningKeys } from './signing-keys.js';

let server: Server;
let requests = 0;
let status = 200;
let hangs = false;
let jwks: { keys: JWK[] };
let privateKey: CryptoKey;
let keys: SigningKeys;

beforeEach(async () => {
  const pair = await generateKeyPair('RS256');
  privateKey = pair.privateKey;
  jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] };
  [requests, status, hangs] = [0, 200, false];
  server = createServer((_request, response) => {
    requests++;
    if (hangs) return;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(jwks));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  keys = new SigningKeys({ jwksUri: `http://127.0.0.1:${port}/`, audience: 'galley' });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const token = (kid: string) =>
  new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);

it('a key is fetched and parsed once', async () => {
  const first = await keys.keyOf(await token('one'));
  expect(await keys.keyOf(await token('one'))).toBe(first);
  expect(requests).toBe(1);
});

it('a provider that does not give its keys is its own fault, and is not asked for every token', async () => {
  status = 500;
  for (let count = 0; count < 10; count++) {
    await expect(keys.keyOf(await token('one'))).rejects.toMatchObject({ code: 'unavailable' });
  }
  expect(requests).toBe(1);
});

it('an unknown key is the fault of the token', async () => {
  await expect(keys.keyOf(await token('two'))).rejects.toMatchObject({
    code: 'ERR_JWKS_NO_MATCHING_KEY',
  });
  await expect(keys.keyOf('no token')).rejects.toThrow();
});

it('a key that nobody can read is the fault of the tokens that name it, and of no others', async () => {
  jwks.keys.push({ kty: 'EC', crv: 'P-256', kid: 'broken', alg: 'ES256', x: 'AA', y: 'AA' });
  const unsigned = { alg: 'ES256', kid: 'broken' };
  const broken = `${Buffer.from(JSON.stringify(unsigned)).toString('base64url')}.e30.AA`;
  await expect(keys.keyOf(broken)).rejects.not.toMatchObject({ code: 'unavailable' });
  expect(await keys.keyOf(await token('one'))).toBeDefined();
  expect(requests).toBe(1);
});

it('known keys serve at once while the provider hangs', async () => {
  const known = await keys.keyOf(await token('one'));
  const later = Date.now() + 11 * 60_000;
  jest.spyOn(Date, 'now').mockReturnValue(later);
  hangs = true;
  const begun = performance.now();
  expect(await keys.keyOf(await token('one'))).toBe(known);
  // The provider is waited for five seconds, by nobody.
  expect(performance.now() - begun).toBeLessThan(4_500);
  jest.restoreAllMocks();
});
