import { getWorkspace, type Workspace } from '#client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';

/** A workspace, and the ETag that an update sends as `If-Match`. */
export interface ReadWorkspace {
  workspace: Workspace;
  etag: string | undefined;
}

export function useReadWorkspace() {
  const client = useClient();
  const id = useWorkspaceId();
  return useQuery({
    queryKey: ['workspaces', id, 'with-etag'],
    queryFn: async ({ signal }): Promise<ReadWorkspace> => {
      const { data, response } = await getWorkspace({ client, path: { id }, signal });
      return { workspace: data, etag: response.headers.get('etag') ?? undefined };
    },
  });
}
