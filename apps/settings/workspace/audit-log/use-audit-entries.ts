import { listAuditEntries } from '#client';
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
    // Most views make changes that are audited, so the entries are read again whenever the audit log opens.
    staleTime: 0,
    fetchPage: (firstCursor, signal) =>
      readMatchingPage(async (cursor) => {
        const query = { ...filter, limit: 50, ...(cursor !== undefined && { cursor }) };
        return (await listAuditEntries({ client, path: { id }, query, signal })).data;
      }, firstCursor),
  });
}
