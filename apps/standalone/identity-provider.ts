import { generateKeyPair, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { JWKS } from 'oidc-provider';
import { createMemoryAdapterFactory } from './memory-adapter.js';
import { CLIENT_ID, createProvider, DEVELOPMENT_GRANT_TYPE } from './openid-provider.js';
import { CliError } from './terminal.js';

export interface IdentityProvider {
  /** Where it listens, and the issuer of its tokens. */
  origin: string;
  jwksUri: string;
  /** An access token for whoever has this e-mail address: any address is a user. */
  issueToken(email: string): Promise<string>;
  /**
   * Signs with a new key from now on. The old ones stay published, so that their tokens stay valid,
   * unless they are withdrawn. New keys are kept nowhere: they are gone after `stop`.
   */
  rotateKeys(options?: { revokeOldKeys: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/** @throws Problem in production, where whoever asked would be let in as whom they please. */
export function assertNotProduction(): void {
  if (process.env['NODE_ENV'] === 'production') {
    throw new CliError(
      'NODE_ENV is production, and the development identity provider lets anybody in as anybody: unset NODE_ENV, or run npm run start:api and npm run start:worker with an identity provider of your own.',
    );
  }
}

/**
 * Starts an OpenID provider for development and tests, on the loopback address.
 *
 * @param options.signingKeys from `createSigningKeys`; tokens stay valid as long as these are kept
 * @param options.port which is part of the issuer; unless named, any that is free
 */
export async function startIdentityProvider(options: {
  signingKeys: JWKS;
  audience: string;
  port?: number;
}): Promise<IdentityProvider> {
  assertNotProduction();
  const { signingKeys, audience, port = 0 } = options;
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const adapterFactory = createMemoryAdapterFactory();
  let { keys } = signingKeys;
  // A provider's keys are its own for good, so new ones take a new provider.
  const createHandler = () =>
    createProvider({ issuer: origin, jwks: { keys }, audience, adapterFactory }).callback();
  let handler = createHandler();
  server.on('request', (request, response) => void handler(request, response));
  return {
    origin,
    jwksUri: `${origin}/jwks`,
    issueToken: (email) => requestToken(origin, email),
    async rotateKeys({ revokeOldKeys } = { revokeOldKeys: false }) {
      const { keys: newKeys } = await createSigningKeys();
      keys = revokeOldKeys ? newKeys : [...newKeys, ...keys];
      handler = createHandler();
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Asks a running development provider for an access token. @throws Problem when it gives none. */
export async function requestToken(origin: string, email: string): Promise<string> {
  let body: { access_token?: string; error_description?: string };
  try {
    const response = await fetch(`${origin}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: DEVELOPMENT_GRANT_TYPE,
        client_id: CLIENT_ID,
        email,
      }),
    });
    body = (await response.json()) as typeof body;
  } catch (cause) {
    throw new CliError(
      `The identity provider does not answer at ${origin}: is Galley running? Run npm start.`,
      { cause },
    );
  }
  if (body.access_token === undefined) {
    throw new CliError(`There is no token for ${email}: ${body.error_description ?? 'refused'}.`);
  }
  return body.access_token;
}

export async function createSigningKeys(): Promise<JWKS> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ format: 'jwk' });
  return { keys: [{ ...key, kty: 'RSA', kid: randomUUID(), use: 'sig', alg: 'RS256' }] };
}
