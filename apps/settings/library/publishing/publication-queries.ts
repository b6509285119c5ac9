import {
  cancelScheduledPublication,
  listEnvironments,
  listPublications,
  listScheduledPublications,
  publishTemplate,
  unpublishTemplate,
  type Publication,
  type Publish,
} from '#client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { useCursorList } from '../../lists/cursor-list.js';
import { useDocumentId, useKind } from '../kinds.js';
import { nextRefresh } from './publish-values.js';

/** The published version of the template in an environment. */
export interface PublishedState {
  environment: string;
  /** Undefined if nothing is published there. */
  published?: { version: number } & Omit<Publication, 'version'>;
}

const publishedKey = (id: string) => ['published', id] as const;
const historyKey = (id: string) => ['publications', id] as const;
const scheduledKey = (id: string) => ['scheduled', id] as const;

/**
 * Reads the published version of each environment of the workspace. The query is disabled for modules, because modules
 * are not published.
 */
export function usePublished() {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const { name: kind } = useKind();
  const id = useDocumentId();
  return useQuery({
    queryKey: publishedKey(id),
    enabled: kind === 'template',
    queryFn: async ({ signal }): Promise<PublishedState[]> => {
      const environments = await listEnvironments({ client, path: { id: workspaceId }, signal });
      return Promise.all(
        environments.data.data.map(async ({ name: environment }) => {
          // Reads the history, because only the history contains the author and the note of a publication.
          const query = { environment, limit: 1 };
          const { data } = await listPublications({ client, path: { id }, query, signal });
          const [latest] = data.data;
          if (latest === undefined || latest.version === null) return { environment };
          return { environment, published: { ...latest, version: latest.version } };
        }),
      );
    },
  });
}

/** The publication history of all environments or of one, newest first. */
export function usePublicationHistory(environment?: string) {
  const client = useClient();
  const id = useDocumentId();
  return useCursorList({
    queryKey: [...historyKey(id), { environment }],
    fetchPage: async (cursor, signal) => {
      const query = { limit: 20, ...(cursor && { cursor }), ...(environment && { environment }) };
      return (await listPublications({ client, path: { id }, query, signal })).data;
    },
  });
}

/** Reads the scheduled publications, earliest first, and refetches them just after the next one is due. */
export function useScheduled() {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useDocumentId();
  return useQuery({
    queryKey: scheduledKey(id),
    queryFn: async ({ signal }): Promise<Publication[]> => {
      // A template has at most 100 scheduled publications, so one page is enough.
      const query = { limit: 100 };
      const { data } = (await listScheduledPublications({ client, path: { id }, query, signal }))
        .data;
      const known = queryClient.getQueryData<Publication[]>(scheduledKey(id)) ?? [];
      const isAnyGone = known.some((each) => !data.some((left) => left.id === each.id));
      if (isAnyGone) {
        await queryClient.invalidateQueries({ queryKey: publishedKey(id) });
        await queryClient.invalidateQueries({ queryKey: historyKey(id) });
      }
      return data;
    },
    refetchInterval: ({ state }) => nextRefresh(state.data ?? [], Date.now()),
  });
}

/**
 * `publish` and `unpublish` do not refetch the data after a failure. If somebody else has deleted the environment, a
 * refetch would remove the dialog that explains the failure. The views therefore call `refresh` when the dialog closes.
 */
export function usePublishingActions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useDocumentId();
  const path = { id };
  const refresh = () =>
    Promise.all(
      [publishedKey(id), historyKey(id), scheduledKey(id)].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  const publish = useMutation({
    mutationFn: async (body: Publish) => (await publishTemplate({ client, path, body })).data,
    onSuccess: refresh,
  });
  const unpublish = useMutation({
    mutationFn: (body: { environment: string; note: string }) =>
      unpublishTemplate({ client, path, body }),
    onSuccess: refresh,
  });
  const cancel = useMutation({
    mutationFn: (publicationId: string) =>
      cancelScheduledPublication({ client, path: { id, publicationId } }),
    onSettled: refresh,
  });
  return { publish, unpublish, cancel, refresh };
}
