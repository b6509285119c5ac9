import { createClient, type Client } from '#client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { UserManager } from 'oidc-client-ts';
import { createContext, use, useState, type ReactNode } from 'react';
import type { SettingsConfig } from '../session/settings-config.js';
import { createRenewingFetch } from './renewing-fetch.js';

const ClientContext = createContext<Client | undefined>(undefined);

/** The client of the signed-in user; pass it to each function of `#client`. */
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

/** Provides the API client of the signed-in user, and the cache of API responses, to the components below. */
export function ApiProvider({ config, userManager, children }: ApiProviderProps) {
  const [client] = useState(() =>
    createClient({
      baseUrl: config.apiUrl || window.location.origin,
      auth: async () => (await userManager.getUser())?.[config.token],
      fetch: createRenewingFetch(userManager, config.token),
    }),
  );
  // TanStack Query retries nothing, because the client already retries reads and writes, and waits as long as
  // `Retry-After` says.
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5_000 } } }),
  );
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </ClientContext>
  );
}
