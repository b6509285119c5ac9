/*
 * The identity provider for development and tests. oidc-provider implements the protocol. This folder adds what the
 * library leaves to its users: sign-in without a password, users with account pages, messages to Galley, and keys that
 * tests rotate. A mock OpenID Connect server would not have these pages, and a real provider would have to be set up
 * separately.
 */
import { generateKeyPair, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { JWKS } from 'oidc-provider';
import { createMemoryAdapterFactory } from './memory-adapter.js';
import { CLIENT_ID, createProvider, DEVELOPMENT_GRANT_TYPE } from './openid-provider.js';
import { CliError } from '../terminal.js';
import { DevelopmentUsers } from './users/development-users.js';
import { UserMessages, type UserMessagesOptions } from './users/user-messages.js';

export interface IdentityProvider {
  /** The provider's URL, which is also the issuer of its tokens. */
  origin: string;
  jwksUri: string;
  /** Issues an access token for the user with this email address, and creates the user if necessary. */
  issueToken(email: string): Promise<string>;
  /**
   * Creates a new signing key for all further tokens. The old keys stay published, and their tokens stay valid, unless
   * `revokeOldKeys` is set. The new key is not saved, so it is lost after `stop`.
   */
  rotateKeys(options?: { revokeOldKeys: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/** @throws CliError in production, because the provider lets anyone sign in as any user. */
export function assertNotProduction(): void {
  if (process.env['NODE_ENV'] === 'production') {
    throw new CliError(
      'NODE_ENV is production, and the development identity provider lets anybody sign in as any user: unset NODE_ENV, or run npm run start:api and npm run start:worker with an identity provider of your own.',
    );
  }
}

/**
 * Starts the identity provider on the loopback address.
 *
 * @param options.signingKeys the result of `createSigningKeys`. With the keys of an earlier start, the tokens from that
 * start stay valid.
 * @param options.port the port of the provider and of the issuer's URL; by default, a free port.
 * @param options.usersFile the file that stores the users; without this file, users are lost after `stop`.
 * @param options.userMessages the destination of messages about changed users; by default, none are sent.
 */
export async function startIdentityProvider(options: {
  signingKeys: JWKS;
  audience: string;
  port?: number;
  usersFile?: string;
  userMessages?: UserMessagesOptions;
}): Promise<IdentityProvider> {
  assertNotProduction();
  const { signingKeys, audience, port = 0 } = options;
  const users = await DevelopmentUsers.load(options.usersFile);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const adapterFactory = createMemoryAdapterFactory();
  let { keys } = signingKeys;
  // An instance of `Provider` never changes its keys, so new keys need a new instance.
  const createHandler = () =>
    createProvider({ issuer: origin, jwks: { keys }, audience, adapterFactory, users }).callback();
  let handler = createHandler();
  server.on('request', (request, response) => void handler(request, response));
  const messages = options.userMessages && new UserMessages(users, options.userMessages);
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
      await messages?.stop();
    },
  };
}

/**
 * Requests an access token from a running identity provider.
 *
 * @throws CliError if the provider returns no token.
 */
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
      `The identity provider does not respond at ${origin}. If Galley is not running, run npm start.`,
      { cause },
    );
  }
  if (body.access_token === undefined) {
    throw new CliError(`Cannot get a token for ${email}: ${body.error_description ?? 'refused'}.`);
  }
  return body.access_token;
}

export async function createSigningKeys(): Promise<JWKS> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ format: 'jwk' });
  return { keys: [{ ...key, kty: 'RSA', kid: randomUUID(), use: 'sig', alg: 'RS256' }] };
}
