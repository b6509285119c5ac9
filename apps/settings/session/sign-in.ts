import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { AuthContextProps } from 'react-oidc-context';
import type { SettingsConfig } from './settings-config.js';

export const SIGNED_IN_PATH = `${import.meta.env.BASE_URL}signed-in`;
export const SIGNED_OUT_PATH = `${import.meta.env.BASE_URL}signed-out`;

export const isAtPath = (path: string): boolean => window.location.pathname === path;

interface ReturnState {
  returnTo: string;
}

/**
 * If the identity provider has just redirected the user back, obtains the tokens and opens the view that the user
 * wanted. In all other cases, redirects the user to the provider and never returns.
 *
 * @throws Error if the provider returned an error, or if the sign-in was not started in this tab.
 */
export async function completeSignIn(userManager: UserManager): Promise<void> {
  if (!isAtPath(SIGNED_IN_PATH)) {
    await signIn(userManager);
    await new Promise(() => undefined);
  }
  const user = await userManager.signinRedirectCallback();
  const { returnTo = import.meta.env.BASE_URL } = (user.state ?? {}) as Partial<ReturnState>;
  window.history.replaceState({}, '', returnTo);
}

/** Redirects the user to the provider. After the sign-in, the user returns to the same view. */
export function signIn(auth: Pick<AuthContextProps, 'signinRedirect'>): Promise<void> {
  const { pathname, search, hash } = window.location;
  return auth.signinRedirect({
    state: { returnTo: pathname + search + hash } satisfies ReturnState,
  });
}

/** Ends the session of this page. Also ends the session at the provider, if the provider supports that. */
export async function signOut(auth: AuthContextProps): Promise<void> {
  try {
    await auth.signoutRedirect();
  } catch {
    window.location.assign(pageUrl('signed-out'));
  }
}

const pageUrl = (path: string): string =>
  new URL(import.meta.env.BASE_URL + path, window.location.origin).href;

/**
 * Signs in with the authorization code flow and PKCE. Tokens are kept in memory, out of reach of other pages and of
 * later users of the browser. After a reload, the provider's session signs the user in again.
 */
export function createUserManager({ issuer, clientId, audience }: SettingsConfig): UserManager {
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: pageUrl('signed-in'),
    post_logout_redirect_uri: pageUrl('signed-out'),
    // offline_access requests a refresh token, which renews the session without an iframe or a redirect.
    scope: 'openid profile email offline_access',
    // Auth0 identifies the API with `audience`. RFC 8707 uses `resource`, which must be a URI.
    extraQueryParams: { audience },
    ...(URL.canParse(audience) && { resource: audience }),
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The code verifier has to survive the redirect to the provider and back.
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
    automaticSilentRenew: true,
    monitorSession: false,
  });
}
