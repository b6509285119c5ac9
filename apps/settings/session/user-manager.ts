import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { SettingsConfig } from './settings-config.js';

export const pageUrl = (path: string): string =>
  new URL(import.meta.env.BASE_URL + path, window.location.origin).href;

/**
 * Signs in with an authorization code and PKCE. Tokens stay in memory, where no other page and no later user
 * of the browser finds them. After a reload, the provider's session signs the reader in again.
 */
export function createUserManager({ issuer, clientId, audience }: SettingsConfig): UserManager {
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: pageUrl('signed-in'),
    post_logout_redirect_uri: pageUrl('signed-out'),
    // offline_access asks for a refresh token, which renews the session without a frame or a redirect.
    scope: 'openid profile email offline_access',
    // The parameter that names the API is `audience` at Auth0, and `resource` in RFC 8707, where it must be a URI.
    extraQueryParams: { audience },
    ...(URL.canParse(audience) && { resource: audience }),
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The code verifier has to survive the redirect to the provider and back.
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
    automaticSilentRenew: true,
    monitorSession: false,
  });
}
