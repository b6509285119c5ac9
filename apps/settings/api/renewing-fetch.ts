import type { User, UserManager } from 'oidc-client-ts';
import type { SettingsConfig } from '../session/settings-config.js';

/**
 * A `fetch` that renews the session when the API refuses the access token, and then repeats the request.
 * Repeating is safe, because a request with a refused token has no effect. Ends the session if the provider
 * does not renew the session, or if the API refuses the new token as well.
 */
export function createRenewingFetch(
  userManager: UserManager,
  token: SettingsConfig['token'],
): typeof fetch {
  let renewal: Promise<User | null> | undefined;
  // Requests that are refused at the same time share one renewal. An error of the renewal is dropped: the
  // reader has to sign in again, and the provider's page shows the reason.
  const renew = () =>
    (renewal ??= userManager
      .signinSilent()
      .catch(() => null)
      .finally(() => (renewal = undefined)));

  return async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request.clone());
    if (response.status !== 401) return response;
    const user = await userManager.getUser();
    // Another request may have renewed the session since this request was sent.
    const isStale =
      user !== null && request.headers.get('authorization') !== `Bearer ${user[token] ?? ''}`;
    const newToken = (isStale ? user : await renew())?.[token];
    if (newToken === undefined) {
      await userManager.removeUser();
      return response;
    }
    request.headers.set('authorization', `Bearer ${newToken}`);
    const repeated = await fetch(request);
    if (repeated.status === 401) await userManager.removeUser();
    return repeated;
  };
}
