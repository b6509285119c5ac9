import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { SigningKeys } from './signing-keys.js';

let server: Server;
let requests = 0;
let status = 200;
let privateKey: CryptoKey;
let keys: SigningKeys;

beforeEach(async () => {
  const pair = await generateKeyPair('RS256');
  privateKey = pair.privateKey;
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] });
  [requests, status] = [0, 200];
  server = createServer((_request, response) => {
    requests++;
    response.writeHead(status, { 'content-type': 'application/json' }).end(jwks);
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
