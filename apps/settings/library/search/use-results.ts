import { search } from '#client';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { useCursorList } from '../../lists/cursor-list.js';
import type { QuerySearch } from '../library-search.js';

const RESULTS_PER_PAGE = 20;

/** The results of a search, best first. Nothing is read without a query. */
export function useResults({ query = '', kind }: QuerySearch) {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  return useCursorList({
    queryKey: ['search', workspaceId, { query, kind }],
    enabled: query !== '',
    // A search finds a change as soon as the API has responded to the change. So results are never reused.
    staleTime: 0,
    fetchPage: async (cursor, signal) => {
      const parameters = {
        workspaceId,
        query,
        limit: RESULTS_PER_PAGE,
        ...(kind && { kind }),
        ...(cursor && { cursor }),
      };
      return (await search({ client, query: parameters, signal })).data;
    },
  });
}
