import { getWebhookSecret } from '#client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';

// Long enough to go from the form of a new webhook to the page that shows the webhook's secret.
const KEEP_MS = 60_000;

const secretKey = (webhookId: string) => ['webhook-secret', webhookId] as const;

/** The secret if it is already loaded. `refetch` reads it from the API, which adds an audit entry. */
export function useSecret(webhookId: string) {
  const client = useClient();
  return useQuery({
    queryKey: secretKey(webhookId),
    queryFn: async ({ signal }) =>
      (await getWebhookSecret({ client, path: { id: webhookId }, signal })).data.secret,
    enabled: false,
    gcTime: KEEP_MS,
    staleTime: Infinity,
  });
}

/** Keeps a new secret from the API's response, so that the page need not request the secret. */
export function useRememberSecret(): (webhookId: string, secret: string) => void {
  const queryClient = useQueryClient();
  return (webhookId, secret) => {
    queryClient.setQueryDefaults(secretKey(webhookId), { gcTime: KEEP_MS });
    queryClient.setQueryData(secretKey(webhookId), secret);
  };
}
