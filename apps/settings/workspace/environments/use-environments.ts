import { listEnvironments } from '#client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';

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
