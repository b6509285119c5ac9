import { cancelReplay, listReplays, startReplay, type StartReplay } from '#client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWebhookId } from '../../webhooks/webhook-queries.js';
import { deliveryKeys } from '../delivery-queries.js';

const RUNNING_REFRESH_MS = 1_000;

/** Reads the latest replays, and refetches them every second while a replay is running. */
export function useReplays() {
  const client = useClient();
  const webhookId = useWebhookId();
  return useQuery({
    queryKey: deliveryKeys.replays(webhookId),
    queryFn: async ({ signal }) =>
      (await listReplays({ client, path: { id: webhookId }, signal })).data.data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'running') ? RUNNING_REFRESH_MS : false,
  });
}

export function useReplayActions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const webhookId = useWebhookId();
  const path = { id: webhookId };
  // Refetches after a failure too, because somebody else may have started or cancelled a replay.
  const onSettled = () =>
    queryClient.invalidateQueries({ queryKey: deliveryKeys.replays(webhookId) });
  const count = useMutation({
    mutationFn: async (filter: StartReplay) => {
      const { data } = await startReplay({ client, path, body: { ...filter, dryRun: true } });
      return (data as { count: number }).count;
    },
  });
  const start = useMutation({
    mutationFn: (filter: StartReplay) => startReplay({ client, path, body: filter }),
    onSettled,
  });
  const cancel = useMutation({
    mutationFn: (replayId: string) => cancelReplay({ client, path: { id: webhookId, replayId } }),
    onSettled,
  });
  return { count, start, cancel };
}
