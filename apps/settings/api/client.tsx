import { createClient, type Client } from '#client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { User, UserManager } from 'oidc-client-ts';
import { createContext, use, useState, type ReactNode } from 'react';
import type { SettingsConfig } from '../session/settings-config.js';

const ClientContext = createContext<Client | undefined>(undefined);

/** The API client of the signed-in user. Pass the client to every function of `#client`. */
export function useClient(): Client {
  const client = use(ClientContext);
  if (client === undefined) throw new Error('useClient needs an ApiProvider above it.');
  return client;
}

interface ApiProviderProps {
  config: SettingsConfig;
  userManager: UserManager;
  children: ReactNode;
}

/** Provides its children with the API client of the signed-in user and with the cache of API responses. */
export function ApiProvider({ config, userManager, children }: ApiProviderProps) {
  const [client] = useState(() =>
    createClient({
      baseUrl: config.apiUrl || window.location.origin,
      auth: async () => (await userManager.getUser())?.[config.token],
      fetch: createRenewingFetch(userManager, config.token),
    }),
  );
  // Retries are off in TanStack Query, because the API client already retries requests and honours `Retry-After`.
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5_000 } } }),
  );
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </ClientContext>
  );
}

/**
 * A `fetch` that renews the session if the API rejects the access token, and then retries the request. The retry is
 * safe, because a request with a rejected token has no effect. If the identity provider does not renew the session, or
 * if the API rejects the new token too, the session ends.
 */
function createRenewingFetch(
  userManager: UserManager,
  token: SettingsConfig['token'],
): typeof fetch {
  let renewal: Promise<User | null> | undefined;
  // Requests that are rejected at the same time share one renewal. A failed renewal is not reported: the user has to
  // sign in again, and the provider's page shows the reason.
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
