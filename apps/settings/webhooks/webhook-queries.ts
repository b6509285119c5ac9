import { getWebhook, getWebhookSecret, type Webhook } from '#client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useClient } from '../api/client.js';

/** Query keys. Invalidating `webhook(id)` refetches everything about that webhook. */
export const webhookKeys = {
  list: (workspaceId: string) => ['webhooks', workspaceId] as const,
  webhook: (webhookId: string) => ['webhook', webhookId] as const,
  detail: (webhookId: string) => ['webhook', webhookId, 'detail'] as const,
  health: (webhookId: string) => ['webhook', webhookId, 'health'] as const,
  statistics: (webhookId: string, range: string) =>
    ['webhook', webhookId, 'statistics', range] as const,
  transitions: (webhookId: string) => ['webhook', webhookId, 'transitions'] as const,
  rotations: (webhookId: string) => ['webhook', webhookId, 'rotations'] as const,
};

// The status can change while the page is open: deliveries fail, or somebody else changes the status.
const REFRESH_MS = 5_000;

const webhookApi = getRouteApi('/w/$workspaceId/webhooks/$webhookId');

/** The id of the webhook in the URL. */
export const useWebhookId = (): string => webhookApi.useParams().webhookId;

export interface VersionedWebhook {
  webhook: Webhook;
  /** The ETag for the `If-Match` header of an update. */
  etag: string;
}

/** The webhook in the URL. */
export function useWebhook() {
  const client = useClient();
  const webhookId = useWebhookId();
  return useQuery({
    queryKey: webhookKeys.detail(webhookId),
    queryFn: async ({ signal }): Promise<VersionedWebhook> => {
      const { data, response } = await getWebhook({ client, path: { id: webhookId }, signal });
      return { webhook: data, etag: response.headers.get('etag') ?? '' };
    },
    refetchInterval: REFRESH_MS,
  });
}

// The cache keeps a secret this long after the last view that uses the secret has closed. A new webhook's secret must
// survive the change from the form to the page that shows the secret.
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

/** Caches a new secret from the API's response, so that the page need not request the secret. */
export function useRememberSecret(): (webhookId: string, secret: string) => void {
  const queryClient = useQueryClient();
  return (webhookId, secret) => {
    queryClient.setQueryDefaults(secretKey(webhookId), { gcTime: KEEP_MS });
    queryClient.setQueryData(secretKey(webhookId), secret);
  };
}
