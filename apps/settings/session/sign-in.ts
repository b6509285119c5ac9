import type { UserManager } from 'oidc-client-ts';
import type { AuthContextProps } from 'react-oidc-context';

export const SIGNED_IN_PATH = `${import.meta.env.BASE_URL}signed-in`;
export const SIGNED_OUT_PATH = `${import.meta.env.BASE_URL}signed-out`;

export const isAtPath = (path: string): boolean => window.location.pathname === path;

interface ReturnState {
  returnTo: string;
}

/**
 * If the provider has just sent the reader back, gets the tokens and goes to the view that the reader wanted.
 * Otherwise sends the reader to the provider, and never returns.
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

/** Sends the reader to the provider, which sends the reader back to the same view. */
export function signIn(auth: Pick<AuthContextProps, 'signinRedirect'>): Promise<void> {
  const { pathname, search, hash } = window.location;
  return auth.signinRedirect({
    state: { returnTo: pathname + search + hash } satisfies ReturnState,
  });
}
