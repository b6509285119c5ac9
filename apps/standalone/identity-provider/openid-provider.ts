import Provider, { errors } from 'oidc-provider';
import type { AdapterFactory, JWKS, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import { accountMiddleware } from './account.js';
import {
  allowOfflineAccess,
  endSessionsOfDeletedUsers,
  grantRequestedScopes,
  loginMiddleware,
  loginPathOf,
} from './login.js';
import { isLoopbackUrl, LOOPBACK_ORIGINS } from '../loopback.js';
import { renderError, renderLoggedOut, renderLogout } from './pages.js';
import { printError } from '../terminal.js';
import { claimsOf, type DevelopmentUsers } from './users/development-users.js';
import { USER_INFO_PATH, userInfoMiddleware } from './user-info.js';

/** Galley's own grant type: exchanges an email address for an access token of the user with that address. */
export const DEVELOPMENT_GRANT_TYPE = 'urn:galley:params:oauth:grant-type:development-email';
export const CLIENT_ID = 'galley-development';

const API_RESOURCE = 'urn:galley:api';
const ACCESS_TOKEN_TTL_SECONDS = 12 * 60 * 60;
const SESSION_TTL_SECONDS = 14 * 24 * 60 * 60;
const NOT_LOOPBACK_ERROR = {
  error: 'invalid_redirect_uri',
  error_description: `redirect_uri must be at ${LOOPBACK_ORIGINS.join(', ')}, with any port and path`,
};

/**
 * Configures oidc-provider with the development users, with JWT access tokens for the API, and with one public client
 * that may redirect to any loopback URL.
 */
export function createProvider(options: {
  issuer: string;
  jwks: JWKS;
  audience: string;
  adapterFactory: AdapterFactory;
  users: DevelopmentUsers;
}): Provider {
  const { issuer, jwks, audience, adapterFactory, users } = options;
  const apiResourceServer: ResourceServer = {
    // The API ignores these scopes. They are listed so that clients are granted every scope that they request.
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
    // The middleware below has already refused requests from pages that are not on this machine.
    clientBasedCORS: () => true,
    responseTypes: ['code'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    // Browsers send the cookies of a host to all ports of that host. The port in the name keeps the cookies of two
    // providers apart.
    cookies: { names: { session: `galley_development_${new URL(issuer).port}` } },
    discovery: { userinfo_endpoint: issuer + USER_INFO_PATH },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        // There is only one API, so the resource that a client requests does not matter.
        defaultResource: () => API_RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => apiResourceServer,
      },
      rpInitiatedLogout: {
        logoutSource: (context, form) =>
          renderLogout(context, form, { isConfirmed: hasHintOfSession(context) }),
        postLogoutSuccessSource: renderLoggedOut,
      },
      // The library's own UserInfo endpoint refuses access tokens for an API. user-info.ts replaces that endpoint.
      userinfo: { enabled: false },
    },
    findAccount: (_context, accountId) => {
      const user = users.find(accountId);
      return user && { accountId, claims: () => ({ sub: accountId, ...claimsOf(user) }) };
    },
    interactions: { url: (_context, { uid }) => loginPathOf(uid) },
    loadExistingGrant: grantRequestedScopes,
    extraTokenClaims: (_context, token) => {
      const user = token.kind === 'AccessToken' ? users.find(token.accountId) : undefined;
      return user && claimsOf(user);
    },
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
  // The library lets a loopback redirect URI have any port, but not any path. Galley allows any path as well.
  provider.Client.prototype.redirectUriAllowed = isAllowedRedirectUri;
  provider.Client.prototype.postLogoutRedirectUriAllowed = isAllowedRedirectUri;

  provider.use(async (context, next) => {
    const origin = context.get('origin');
    // A page on the internet must neither get a token nor sign anybody in.
    if (origin !== '' && !isLoopbackUrl(origin)) {
      context.throw(
        403,
        `Only pages on this machine may send requests; ${origin} is not on this machine.`,
      );
    }
    await next();
  });
  provider.use(endSessionsOfDeletedUsers(provider, users));
  provider.use(allowOfflineAccess);
  provider.use(loginMiddleware(provider, users));
  provider.use(accountMiddleware(provider, users, CLIENT_ID));
  provider.use(userInfoMiddleware(issuer, audience, users));
  registerDevelopmentGrant(provider, apiResourceServer, users);
  provider.on('server_error', (_context: KoaContextWithOIDC, error: Error) =>
    printError(`The development identity provider failed: ${error.stack ?? error.message}`),
  );
  return provider;
}

// RFC 6749, section 3.1.2: a redirect URI must not contain a fragment.
const isAllowedRedirectUri = (uri: string): boolean => isLoopbackUrl(uri) && !uri.includes('#');

/** Whether the app has sent an ID token of the signed-in user as `id_token_hint`. */
const hasHintOfSession = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.entities.IdTokenHint?.payload['sub'] === oidc.session?.accountId;

function registerDevelopmentGrant(
  provider: Provider,
  apiResourceServer: ResourceServer,
  users: DevelopmentUsers,
): void {
  provider.registerGrantType<{ email?: string }>(
    DEVELOPMENT_GRANT_TYPE,
    async (context) => {
      const { client, params } = context.oidc;
      const user = await users.signIn(params.email ?? '');
      if (user === undefined) {
        throw new errors.InvalidRequest('email must be an email address such as ada@example.com');
      }
      const accountId = user.subject;
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
