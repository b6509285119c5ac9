import { listKeys } from '#client';
import { useClient } from '../../api/client.js';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { useCursorList } from '../../lists/cursor-list.js';

export const keysKey = (workspaceId: string) => ['api-keys', workspaceId] as const;

export function useApiKeys() {
  const client = useClient();
  const id = useWorkspaceId();
  const isAdmin = useHasRole('admin');
  return useCursorList({
    queryKey: keysKey(id),
    enabled: isAdmin,
    fetchPage: async (cursor, signal) => {
      const query = { limit: 50, ...(cursor && { cursor }) };
      return (await listKeys({ client, path: { id }, query, signal })).data;
    },
  });
}
