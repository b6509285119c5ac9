import {
  listAuditEntries,
  listKeys,
  listMembers,
  listWebhooks,
  paginate,
  type ApiKey,
  type Member,
  type Webhook,
} from '#client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { readMatchingPage, useCursorList } from '../../lists/cursor-list.js';
import type { AuditFilter } from './audit-search.js';

/** The entries that match a filter, newest first. */
export function useAuditEntries(filter: AuditFilter) {
  const client = useClient();
  const id = useWorkspaceId();
  return useCursorList({
    queryKey: ['audit-log', id, filter],
    // Most views make changes that are audited, so the entries are refetched whenever the audit log opens.
    staleTime: 0,
    fetchPage: (firstCursor, signal) =>
      readMatchingPage(async (cursor) => {
        const query = { ...filter, limit: 50, ...(cursor !== undefined && { cursor }) };
        return (await listAuditEntries({ client, path: { id }, query, signal })).data;
      }, firstCursor),
  });
}

/**
 * The possible actors and targets of audit entries, with their names. Most entries contain only the id of the target.
 */
export interface ActorsAndTargets {
  members: readonly Member[];
  keys: readonly ApiKey[];
  webhooks: readonly Webhook[];
}

const NOTHING: ActorsAndTargets = { members: [], keys: [], webhooks: [] };

/** Reads all members, API keys and webhooks of the workspace. Returns empty lists until they are loaded. */
export function useActorsAndTargets(): ActorsAndTargets {
  const client = useClient();
  const id = useWorkspaceId();
  const { data = NOTHING } = useQuery({
    queryKey: ['actors-and-targets', id],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<ActorsAndTargets> => {
      const options = { client, path: { id }, query: { limit: 100 }, signal };
      const query = { workspaceId: id, limit: 100 };
      const [members, keys, webhooks] = await Promise.all([
        readAll(paginate(listMembers, options)),
        readAll(paginate(listKeys, options)),
        readAll(paginate(listWebhooks, { client, query, signal })),
      ]);
      return { members, keys, webhooks };
    },
  });
  return data;
}

async function readAll<Row>(list: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of list) rows.push(row);
  return rows;
}
