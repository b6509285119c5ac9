import { listMembers } from '#client';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { useCursorList } from '../../lists/cursor-list.js';

export const membersKey = (workspaceId: string) => ['members', workspaceId] as const;

export function useMembers() {
  const client = useClient();
  const id = useWorkspaceId();
  return useCursorList({
    queryKey: membersKey(id),
    fetchPage: async (cursor, signal) => {
      const query = { limit: 100, ...(cursor && { cursor }) };
      return (await listMembers({ client, path: { id }, query, signal })).data;
    },
  });
}
