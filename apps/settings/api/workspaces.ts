import { getCurrentUser, getWorkspace, listWorkspaces, type Role, type Workspace } from '#client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useClient } from './client.js';
import { isRoleAtLeast } from './values.js';

export function useWorkspaces() {
  const client = useClient();
  return useQuery({
    queryKey: ['workspaces'],
    queryFn: async ({ signal }) =>
      (await listWorkspaces({ client, query: { limit: 100 }, signal })).data,
  });
}

const workspaceApi = getRouteApi('/w/$workspaceId');

export const useWorkspaceId = (): string => workspaceApi.useParams().workspaceId;

/** Reads the workspace in the URL. Only components of routes under `/w/$workspaceId` can call this hook. */
export function useWorkspace() {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['workspaces', workspaceId],
    queryFn: async ({ signal }): Promise<Workspace> =>
      (await getWorkspace({ client, path: { id: workspaceId }, signal })).data,
  });
}

/** Whether the user has at least this role in the workspace; false until the workspace is loaded. */
export function useHasRole(required: Role): boolean {
  const { data } = useWorkspace();
  return data !== undefined && isRoleAtLeast(data.role, required);
}

/** The signed-in user's record in Galley. */
export function useCurrentUser() {
  const client = useClient();
  return useQuery({
    queryKey: ['current-user'],
    queryFn: async ({ signal }) => (await getCurrentUser({ client, signal })).data.user,
    staleTime: Infinity,
  });
}
