import { createPublicKey, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { UnsecuredJWT, type JWK } from 'jose';
import { Client } from '../api/client.js';
import { eventually } from '../eventually.js';
import type { Galley } from '../galley/galley.js';
import { AUDIENCE, type TokenOptions } from './issuer.js';

/** A workspace in which the refused tokens would have full access if Galley accepted them. */
interface TokenContext {
  galley: Galley;
  workspace: string;
  /** A client that acts as the workspace's owner. */
  owner: Client;
}

type MakeToken = (place: TokenContext) => string | undefined | Promise<string>;

const ownersToken =
  (options: TokenOptions): MakeToken =>
  ({ galley }) =>
    galley.issuer.token('owner', options);

/** Tokens that every route refuses, except for routes that need no token. */
export const refusedTokens: [what: string, make: MakeToken][] = [
  ['is missing', () => undefined],
  ['is malformed', () => 'a.b.c'],
  ['is expired', ownersToken({ expiresIn: '-1m' })],
  ['is of another issuer', ownersToken({ issuer: 'https://elsewhere.example' })],
  ['is for another audience', ownersToken({ audience: 'another' })],
  ['names an unknown key', ownersToken({ keyId: 'unknown' })],
  ['is not signed', ({ galley }) => unsigned(galley)],
  ['is signed with the public key', ({ galley }) => signedWithThePublicKey(galley)],
  ...['deactivated', 'deleted'].flatMap((status): typeof refusedTokens => [
    [`has served until its user was ${status}`, (place) => tokenOfFormer(place, status)],
    [`is new, of a user who was ${status}`, (place) => tokenOfFormer(place, status, 'new')],
  ]),
  ['is a key that was made up', () => `glk_${'x'.repeat(43)}`],
  ['is a key that has served until it was revoked', revokedKey],
  ['is a key that has served until its end', endedKey],
];

const unsigned = ({ issuer }: Galley): string =>
  new UnsecuredJWT()
    .setSubject('owner')
    .setIssuer(issuer.url)
    .setAudience(AUDIENCE)
    .setExpirationTime('1h')
    .encode();

/** A token that an attacker could make from the issuer's public data alone. */
async function signedWithThePublicKey({ issuer }: Galley): Promise<string> {
  const { keys } = (await (await fetch(`${issuer.url}/jwks`)).json()) as { keys: JWK[] };
  const publicKey = createPublicKey({ key: keys[0] ?? {}, format: 'jwk' });
  const key = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
  return issuer.token('owner', { algorithm: 'HS256', key });
}

/**
 * A token of a former owner: either a token that Galley has verified before and cached, or a new token.
 */
async function tokenOfFormer(place: TokenContext, status: string, kind?: 'new'): Promise<string> {
  const { galley, workspace, owner } = place;
  const name = `${status} ${kind ?? 'served'}`;
  const served = await galley.issuer.token(name);
  const { get } = new Client(galley.url, served);
  const { body } = await get<{ user: { id: string } }>('/api/auth/me');
  const member = { userId: body.user.id, role: 'owner' };
  await owner.post(`/api/workspaces/${workspace}/members`, member);
  expect((await get(`/api/workspaces/${workspace}/audit`)).status).toBe(200);
  await galley.database.query('UPDATE users SET status = $2 WHERE subject = $1', [name, status]);
  return kind ? galley.issuer.token(name, { claims: { jti: randomUUID() } }) : served;
}

async function revokedKey(place: TokenContext): Promise<string> {
  const { id, key } = await servedKey(place);
  const path = `/api/workspaces/${place.workspace}/keys/${id}`;
  expect((await place.owner.delete(path)).status).toBe(204);
  return key;
}

async function endedKey(place: TokenContext): Promise<string> {
  const { key } = await servedKey(place, new Date(Date.now() + 2_000).toISOString());
  const { get } = new Client(place.galley.url, key);
  await eventually('its end', async () => (await get('/api/auth/me')).status === 401);
  return key;
}

async function servedKey({ galley, workspace, owner }: TokenContext, expiresAt?: string) {
  const path = `/api/workspaces/${workspace}/keys`;
  const key = { name: 'Shop', role: 'admin', expiresAt };
  const { body } = await owner.post<{ id: string; key: string }>(path, key);
  expect((await new Client(galley.url, body.key).get(path)).status).toBe(200);
  return body;
}
