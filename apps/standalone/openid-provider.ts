import Provider, { errors } from 'oidc-provider';
import type { AdapterFactory, JWKS, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import { claimsOf, subjectOf } from './development-users.js';
import { grantWhatIsAsked, login, loginPath } from './login.js';
import { isLoopback, LOOPBACK_ORIGINS } from './loopback.js';
import { showError, showLoggedOut, showLogout } from './pages.js';
import { complain } from './terminal.js';
import { USER_INFO_PATH, userInfo } from './user-info.js';

/** A grant of our own: whoever names an e-mail address gets its user's token. */
export const DEVELOPMENT_GRANT = 'urn:galley:params:oauth:grant-type:development-email';
export const CLIENT_ID = 'galley-development';

const API = 'urn:galley:api';
const ACCESS_TOKEN_SECONDS = 12 * 60 * 60;
const LOGIN_SECONDS = 14 * 24 * 60 * 60;
const NOT_LOOPBACK = {
  error: 'invalid_redirect_uri',
  error_description: `redirect_uri must be at ${LOOPBACK_ORIGINS.join(', ')}, with any port and path`,
};

/** What the OpenID provider knows of clients, users and tokens. */
export function createProvider(options: {
  issuer: string;
  jwks: JWKS;
  audience: string;
  store: AdapterFactory;
}): Provider {
  const { issuer, jwks, audience, store } = options;
  const api: ResourceServer = {
    // Of no use to the API. They are named so that a client is told that it has what it asked for.
    scope: 'openid profile email offline_access',
    audience,
    accessTokenFormat: 'jwt',
    accessTokenTTL: ACCESS_TOKEN_SECONDS,
    jwt: { sign: { alg: 'RS256' } },
  };
  const provider = new Provider(issuer, {
    jwks,
    adapter: store,
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', DEVELOPMENT_GRANT],
        redirect_uris: LOOPBACK_ORIGINS,
        response_types: ['code'],
      },
    ],
    clientAuthMethods: ['none'],
    // Origins elsewhere do not get as far as this.
    clientBasedCORS: () => true,
    responseTypes: ['code'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    // Browsers send a host's cookies to all of its ports: another provider must not get this one's.
    cookies: { names: { session: `galley_development_${new URL(issuer).port}` } },
    discovery: { userinfo_endpoint: issuer + USER_INFO_PATH },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        // Whichever API a client names, or none: the token is for the one that there is.
        defaultResource: () => API,
        useGrantedResource: () => true,
        getResourceServerInfo: () => api,
      },
      rpInitiatedLogout: { logoutSource: showLogout, postLogoutSuccessSource: showLoggedOut },
      // The provider's own refuses tokens that are for an API (user-info.ts).
      userinfo: { enabled: false },
    },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...claimsOf(accountId) }),
    }),
    interactions: { url: (_context, { uid }) => loginPath(uid) },
    loadExistingGrant: grantWhatIsAsked,
    extraTokenClaims: (_context, token) =>
      token.kind === 'AccessToken' ? claimsOf(token.accountId) : undefined,
    renderError: (context, out, error) =>
      showError(context, error instanceof errors.InvalidRedirectUri ? NOT_LOOPBACK : out),
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
      Interaction: ACCESS_TOKEN_SECONDS,
      Grant: LOGIN_SECONDS,
      RefreshToken: LOGIN_SECONDS,
      Session: LOGIN_SECONDS,
    },
  });
  // Registered URIs can leave the port open, but not the path.
  provider.Client.prototype.redirectUriAllowed = isRedirectUri;
  provider.Client.prototype.postLogoutRedirectUriAllowed = isRedirectUri;

  provider.use(async (context, next) => {
    const origin = context.get('origin');
    // No page of the internet is to get a token, nor to log anybody in.
    if (origin !== '' && !isLoopback(origin)) {
      context.throw(403, `Only pages of this machine may ask, and ${origin} is none.`);
    }
    await next();
  });
  provider.use(login(provider));
  provider.use(userInfo(issuer, audience));
  registerDevelopmentGrant(provider, api);
  provider.on('server_error', (_context: KoaContextWithOIDC, error: Error) =>
    complain(`The development identity provider failed: ${error.stack ?? error.message}`),
  );
  return provider;
}

// RFC 6749, section 3.1.2: a redirection endpoint has no fragment.
const isRedirectUri = (uri: string): boolean => isLoopback(uri) && !uri.includes('#');

function registerDevelopmentGrant(provider: Provider, api: ResourceServer): void {
  provider.registerGrantType<{ email?: string }>(
    DEVELOPMENT_GRANT,
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
        gty: DEVELOPMENT_GRANT,
        resourceServer: new provider.ResourceServer(API, api),
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
