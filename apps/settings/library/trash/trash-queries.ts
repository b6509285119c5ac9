import {
  GalleyError,
  listTrash,
  purgeFromTrash,
  restoreFromTrash,
  type TrashedDocument,
} from '#client';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { useCursorList } from '../../lists/cursor-list.js';
import { words } from './texts.js';

const trashKey = (workspaceId: string) => ['trash', workspaceId] as const;

export function useTrash() {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  return useCursorList({
    queryKey: trashKey(workspaceId),
    // Always refetched, because users often open the trash right after a deletion.
    staleTime: 0,
    fetchPage: async (cursor, signal) => {
      const query = { workspaceId, ...(cursor && { cursor }) };
      return (await listTrash({ client, query, signal })).data;
    },
  });
}

export function useTrashActions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  // Refetches after a failure too, because somebody else may have restored or purged the document.
  const onSettled = () => queryClient.invalidateQueries({ queryKey: trashKey(workspaceId) });
  const restoration = useMutation({
    mutationFn: async ({ id }: TrashedDocument) =>
      (await restoreFromTrash({ client, path: { id } })).data,
    onSuccess: ({ id, kind }) =>
      Promise.all(
        [
          ['document', id],
          ['versions', id],
          [`${kind}s`, workspaceId],
        ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
    onSettled,
  });
  const purge = useMutation({
    mutationFn: ({ id }: TrashedDocument) => purgeFromTrash({ client, path: { id } }),
    onSuccess: (_, { name }) => {
      notifications.show({ message: words.purged(name) });
    },
    onError: (error, { name }) => {
      if (isGone(error)) notifications.show({ message: words.goneTitle(name) });
    },
    onSettled,
  });
  return { restoration, purge };
}

export const isGone = (error: unknown): boolean =>
  error instanceof GalleyError && error.code === 'not_found';
