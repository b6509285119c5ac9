import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { JwksCache } from './jwks-cache.js';

let server: Server;
let requests = 0;
let status = 200;
let isHanging = false;
let jwks: { keys: JWK[] };
let privateKey: CryptoKey;
let cache: JwksCache;

beforeEach(async () => {
  const pair = await generateKeyPair('RS256');
  privateKey = pair.privateKey;
  jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] };
  [requests, status, isHanging] = [0, 200, false];
  server = createServer((_request, response) => {
    requests++;
    if (isHanging) return;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(jwks));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  cache = new JwksCache({ jwksUri: `http://127.0.0.1:${port}/`, audience: 'galley' });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const signToken = (kid: string) =>
  new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);

it('a key is fetched and parsed once', async () => {
  const first = await cache.getKey(await signToken('one'));
  expect(await cache.getKey(await signToken('one'))).toBe(first);
  expect(requests).toBe(1);
});

it('without keys, every token is `unavailable`, and the keys are fetched only once', async () => {
  status = 500;
  for (let count = 0; count < 10; count++) {
    await expect(cache.getKey(await signToken('one'))).rejects.toMatchObject({
      code: 'unavailable',
    });
  }
  expect(requests).toBe(1);
});

it('an unknown key makes the token invalid', async () => {
  await expect(cache.getKey(await signToken('two'))).rejects.toMatchObject({
    code: 'ERR_JWKS_NO_MATCHING_KEY',
  });
  await expect(cache.getKey('no token')).rejects.toThrow();
});

it('a malformed key invalidates only the tokens that name it', async () => {
  jwks.keys.push({ kty: 'EC', crv: 'P-256', kid: 'broken', alg: 'ES256', x: 'AA', y: 'AA' });
  const header = { alg: 'ES256', kid: 'broken' };
  const token = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30.AA`;
  await expect(cache.getKey(token)).rejects.not.toMatchObject({ code: 'unavailable' });
  expect(await cache.getKey(await signToken('one'))).toBeDefined();
  expect(requests).toBe(1);
});

it('a request with a known key does not wait while the provider hangs', async () => {
  const cached = await cache.getKey(await signToken('one'));
  const later = Date.now() + 11 * 60_000;
  jest.spyOn(Date, 'now').mockReturnValue(later);
  isHanging = true;
  const startedAt = performance.now();
  expect(await cache.getKey(await signToken('one'))).toBe(cached);
  // A fetch may take five seconds. A request with a known key does not wait for the fetch.
  expect(performance.now() - startedAt).toBeLessThan(4_500);
  jest.restoreAllMocks();
});
