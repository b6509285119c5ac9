import Provider, { errors } from 'oidc-provider';
import type { AdapterFactory, JWKS, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import { claimsOf, subjectOf } from './development-users.js';
import { grantRequestedScopes, loginMiddleware, loginPathOf } from './login.js';
import { isLoopbackUrl, LOOPBACK_ORIGINS } from './loopback.js';
import { renderError, renderLoggedOut, renderLogout } from './pages.js';
import { printError } from '../terminal.js';
import { USER_INFO_PATH, userInfoMiddleware } from './user-info.js';

/** A grant type of Galley's own: an email address is exchanged for a token of its user. */
export const DEVELOPMENT_GRANT_TYPE = 'urn:galley:params:oauth:grant-type:development-email';
export const CLIENT_ID = 'galley-development';

const API_RESOURCE = 'urn:galley:api';
const ACCESS_TOKEN_TTL_SECONDS = 12 * 60 * 60;
const SESSION_TTL_SECONDS = 14 * 24 * 60 * 60;
const NOT_LOOPBACK_ERROR = {
  error: 'invalid_redirect_uri',
  error_description: `redirect_uri must be at ${LOOPBACK_ORIGINS.join(', ')}, with any port and path`,
};

/** The provider's clients, users and tokens. */
export function createProvider(options: {
  issuer: string;
  jwks: JWKS;
  audience: string;
  adapterFactory: AdapterFactory;
}): Provider {
  const { issuer, jwks, audience, adapterFactory } = options;
  const apiResourceServer: ResourceServer = {
    // The API does not use these scopes. They are listed so that clients get all the scopes that they
    // request.
    scope: 'openid profile email offline_access',
    audience,
    accessTokenFormat: 'jwt',
    accessTokenTTL: ACCESS_TOKEN_TTL_SECONDS,
    jwt: { sign: { alg: 'RS256' } },
  };
  const provider = new Provider(issuer, {
    jwks,
    adapter: adapterFactory,
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', DEVELOPMENT_GRANT_TYPE],
        redirect_uris: LOOPBACK_ORIGINS,
        response_types: ['code'],
      },
    ],
    clientAuthMethods: ['none'],
    // Requests of other origins are refused earlier.
    clientBasedCORS: () => true,
    responseTypes: ['code'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    // Browsers send the cookies of a host to all of its ports, and another provider must not get these.
    cookies: { names: { session: `galley_development_${new URL(issuer).port}` } },
    discovery: { userinfo_endpoint: issuer + USER_INFO_PATH },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        // Whichever API a client names, or none: there is only one.
        defaultResource: () => API_RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => apiResourceServer,
      },
      rpInitiatedLogout: { logoutSource: renderLogout, postLogoutSuccessSource: renderLoggedOut },
      // The library's own UserInfo endpoint refuses tokens for an API; user-info.ts replaces it.
      userinfo: { enabled: false },
    },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...claimsOf(accountId) }),
    }),
    interactions: { url: (_context, { uid }) => loginPathOf(uid) },
    loadExistingGrant: grantRequestedScopes,
    extraTokenClaims: (_context, token) =>
      token.kind === 'AccessToken' ? claimsOf(token.accountId) : undefined,
    renderError: (context, out, error) =>
      renderError(context, error instanceof errors.InvalidRedirectUri ? NOT_LOOPBACK_ERROR : out),
    ttl: {
      AccessToken: ACCESS_TOKEN_TTL_SECONDS,
      IdToken: ACCESS_TOKEN_TTL_SECONDS,
      Interaction: ACCESS_TOKEN_TTL_SECONDS,
      Grant: SESSION_TTL_SECONDS,
      RefreshToken: SESSION_TTL_SECONDS,
      Session: SESSION_TTL_SECONDS,
    },
  });
  // Registered redirect URIs may leave out the port, but not the path.
  provider.Client.prototype.redirectUriAllowed = isAllowedRedirectUri;
  provider.Client.prototype.postLogoutRedirectUriAllowed = isAllowedRedirectUri;

  provider.use(async (context, next) => {
    const origin = context.get('origin');
    // A page on the internet must not get a token, nor sign anybody in.
    if (origin !== '' && !isLoopbackUrl(origin)) {
      context.throw(403, `Only pages of this machine may ask, and ${origin} is none.`);
    }
    await next();
  });
  provider.use(loginMiddleware(provider));
  provider.use(userInfoMiddleware(issuer, audience));
  registerDevelopmentGrant(provider, apiResourceServer);
  provider.on('server_error', (_context: KoaContextWithOIDC, error: Error) =>
    printError(`The development identity provider failed: ${error.stack ?? error.message}`),
  );
  return provider;
}

// RFC 6749, section 3.1.2: a redirection endpoint has no fragment.
const isAllowedRedirectUri = (uri: string): boolean => isLoopbackUrl(uri) && !uri.includes('#');

function registerDevelopmentGrant(provider: Provider, apiResourceServer: ResourceServer): void {
  provider.registerGrantType<{ email?: string }>(
    DEVELOPMENT_GRANT_TYPE,
    async (context) => {
      const { client, params } = context.oidc;
      const accountId = subjectOf(params.email ?? '');
      if (accountId === undefined) {
        throw new errors.InvalidRequest('email must be an e-mail address such as ada@example.com');
      }
      const grant = new provider.Grant({ accountId, clientId: client.clientId });
      const token = new provider.AccessToken({
        accountId,
        client,
        grantId: await grant.save(),
        gty: DEVELOPMENT_GRANT_TYPE,
        resourceServer: new provider.ResourceServer(API_RESOURCE, apiResourceServer),
      });
      context.body = {
        access_token: await token.save(),
        expires_in: token.expiration,
        token_type: token.tokenType,
      };
    },
    'email',
  );
}
