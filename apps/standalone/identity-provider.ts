import { generateKeyPair, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { JWKS } from 'oidc-provider';
import { CLIENT_ID, createProvider, DEVELOPMENT_GRANT } from './openid-provider.js';
import { Problem } from './terminal.js';

/**
 * Users are known by issuer and subject and outlive a restart, so the issuer must not hold the
 * provider's port, which changes. Whoever verifies tokens is told `jwksUri` besides.
 */
export const DEVELOPMENT_ISSUER = 'http://galley-development.localhost';

export interface IdentityProvider {
  origin: string;
  jwksUri: string;
  /** An access token for whoever has this e-mail address: any address is a user. */
  issueToken(email: string): Promise<string>;
  stop(): Promise<void>;
}

/** @throws Problem in production, where whoever asked would be let in as whom they please. */
export function refuseProduction(): void {
  if (process.env['NODE_ENV'] === 'production') {
    throw new Problem(
      'NODE_ENV is production, and the development identity provider lets anybody in as anybody: unset NODE_ENV, or run npm run start:api and npm run start:worker with an identity provider of your own.',
    );
  }
}

/**
 * Starts an OpenID provider for development and tests, on the loopback address.
 *
 * @param options.signingKeys from `createSigningKeys`; tokens stay valid as long as these are kept
 */
export async function startIdentityProvider(options: {
  signingKeys: JWKS;
  audience: string;
}): Promise<IdentityProvider> {
  refuseProduction();
  const provider = createProvider(DEVELOPMENT_ISSUER, options.signingKeys, options.audience);
  const handle = provider.callback();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    jwksUri: `${origin}/jwks`,
    issueToken: (email) => requestToken(origin, email),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Asks a running development provider for an access token. @throws Problem when it gives none. */
export async function requestToken(origin: string, email: string): Promise<string> {
  let answer: { access_token?: string; error_description?: string };
  try {
    const response = await fetch(`${origin}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: DEVELOPMENT_GRANT, client_id: CLIENT_ID, email }),
    });
    answer = (await response.json()) as typeof answer;
  } catch (cause) {
    throw new Problem(
      `The identity provider does not answer at ${origin}: is Galley running? Run npm start.`,
      { cause },
    );
  }
  if (answer.access_token === undefined) {
    throw new Problem(`There is no token for ${email}: ${answer.error_description ?? 'refused'}.`);
  }
  return answer.access_token;
}

export async function createSigningKeys(): Promise<JWKS> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ format: 'jwk' });
  return { keys: [{ ...key, kty: 'RSA', kid: randomUUID(), use: 'sig', alg: 'RS256' }] };
}
