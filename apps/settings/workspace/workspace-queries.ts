import { listEnvironments, listKeys, listMembers } from '#client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client.js';
import { useHasRole, useWorkspaceId } from '../api/workspaces.js';
import { useCursorList } from '../lists/cursor-list.js';
import { nameOfMember } from './member-rules.js';

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

export const environmentsKey = (workspaceId: string) => ['environments', workspaceId] as const;

/** The environments of the workspace: `production` first, then the others by name. */
export function useEnvironments() {
  const client = useClient();
  const id = useWorkspaceId();
  return useQuery({
    queryKey: environmentsKey(id),
    queryFn: async ({ signal }) =>
      (await listEnvironments({ client, path: { id }, signal })).data.data,
  });
}

/**
 * Finds the name that belongs to a user id: the name of a member or, if the signed-in user may list API keys, the name
 * of a key. Undefined for former members, and until the names are loaded.
 */
export function useUserNames(): (userId: string) => string | undefined {
  const { data: members } = useMembers();
  const { data: keys } = useApiKeys();
  return (userId) => {
    const member = members?.find((each) => each.userId === userId);
    if (member) return nameOfMember(member);
    return keys?.find((key) => key.userId === userId)?.name;
  };
}
