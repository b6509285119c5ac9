import Provider, { errors } from 'oidc-provider';
import type { JWKS, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import { MemoryAdapter } from './memory-adapter.js';
import { complain } from './terminal.js';

/** A grant of our own: whoever names an e-mail address gets its user's token. */
export const DEVELOPMENT_GRANT = 'urn:galley:params:oauth:grant-type:development-email';
export const CLIENT_ID = 'galley-development';

const RESOURCE = 'urn:galley:api';
const ACCESS_TOKEN_SECONDS = 12 * 60 * 60;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

/** What the OpenID provider knows of clients, users and tokens. */
export function createProvider(issuer: string, jwks: JWKS, audience: string): Provider {
  const api: ResourceServer = {
    scope: '',
    audience,
    accessTokenFormat: 'jwt',
    accessTokenTTL: ACCESS_TOKEN_SECONDS,
    jwt: { sign: { alg: 'RS256' } },
  };
  const provider = new Provider(issuer, {
    jwks,
    adapter: MemoryAdapter,
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        grant_types: [DEVELOPMENT_GRANT],
        redirect_uris: [],
        response_types: [],
      },
    ],
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: true, getResourceServerInfo: () => api },
    },
    extraTokenClaims: (_context, token) =>
      token.kind === 'AccessToken' ? claimsOf(token.accountId) : undefined,
    ttl: { AccessToken: ACCESS_TOKEN_SECONDS, Grant: ACCESS_TOKEN_SECONDS },
  });
  provider.registerGrantType<{ email?: string }>(
    DEVELOPMENT_GRANT,
    async (context) => {
      const { client, params } = context.oidc;
      const accountId = subjectOf(params.email);
      const grant = new provider.Grant({ accountId, clientId: client.clientId });
      const token = new provider.AccessToken({
        accountId,
        client,
        grantId: await grant.save(),
        gty: DEVELOPMENT_GRANT,
        resourceServer: new provider.ResourceServer(RESOURCE, api),
      });
      context.body = {
        access_token: await token.save(),
        expires_in: token.expiration,
        token_type: token.tokenType,
      };
    },
    'email',
  );
  provider.on('server_error', (_context: KoaContextWithOIDC, error: Error) =>
    complain(`The development identity provider failed: ${error.stack ?? error.message}`),
  );
  return provider;
}

function subjectOf(email: string | undefined): string {
  if (email === undefined || !ADDRESS.test(email)) {
    throw new errors.InvalidRequest('email must be an e-mail address such as ada@example.com');
  }
  return email.toLowerCase();
}

/** ada.lovelace+test@example.com is Ada Lovelace. */
function claimsOf(email: string) {
  const [local = ''] = email.split(/[@+]/);
  const [given = '', ...family] = local
    .split(/[._-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { email, email_verified: true, given_name: given, family_name: family.join(' ') };
}
