import {
  cancelModuleUsageUpdate,
  listModuleUsages,
  listModuleUsageUpdates,
  updateModuleUsages,
} from '#client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useCursorList } from '../../lists/cursor-list.js';
import { useDocumentId } from '../kinds.js';

const RUNNING_REFRESH_MS = 1_000;

const usagesKey = (id: string) => ['usages', id] as const;
const updatesKey = (id: string) => ['usage-updates', id] as const;

/** The templates and modules that use the module in the URL. */
export function useModuleUsages({ isEnabled = true } = {}) {
  const client = useClient();
  const id = useDocumentId();
  return useCursorList({
    queryKey: usagesKey(id),
    enabled: isEnabled,
    fetchPage: async (cursor, signal) => {
      const query = { limit: 100, ...(cursor && { cursor }) };
      return (await listModuleUsages({ client, path: { id }, query, signal })).data;
    },
  });
}

/** Reads the latest updates, and refetches them every second while an update is running. */
export function useUsageUpdates() {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useDocumentId();
  return useQuery({
    queryKey: updatesKey(id),
    queryFn: async ({ signal }) => {
      const { data } = (await listModuleUsageUpdates({ client, path: { id }, signal })).data;
      // An update may have changed templates since the usages were read.
      await queryClient.invalidateQueries({ queryKey: usagesKey(id) });
      return data;
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'running') ? RUNNING_REFRESH_MS : false,
  });
}

export function useUpdateActions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useDocumentId();
  // Refetches after a failure too, because somebody else may have started or cancelled an update.
  const onSettled = () => queryClient.invalidateQueries({ queryKey: updatesKey(id) });
  const count = useMutation({
    mutationFn: async (toVersion: number) => {
      const body = { toVersion, all: true, dryRun: true };
      const { data } = await updateModuleUsages({ client, path: { id }, body });
      return (data as { count: number }).count;
    },
  });
  const start = useMutation({
    mutationFn: (toVersion: number) =>
      updateModuleUsages({ client, path: { id }, body: { toVersion, all: true } }),
    onSettled,
  });
  const cancel = useMutation({
    mutationFn: (updateId: string) => cancelModuleUsageUpdate({ client, path: { id, updateId } }),
    onSettled,
  });
  return { count, start, cancel };
}
