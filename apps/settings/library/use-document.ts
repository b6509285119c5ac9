import type { Comparison } from '#client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../api/client.js';
import { useWorkspaceId } from '../api/workspaces.js';
import { useCursorList } from '../lists/cursor-list.js';
import { texts } from '../texts.js';
import { useUserNames } from '../workspace/workspace-queries.js';
import { useDocumentId, useKind, type LibraryDocument, type Version } from './kinds.js';

/** A template or module, and the ETag that an update sends as `If-Match`. */
export interface ReadDocument {
  document: LibraryDocument;
  etag: string | undefined;
}

const documentKey = (id: string) => ['document', id] as const;
const versionsKey = (id: string) => ['versions', id] as const;

/** @param isExpanded whether module references are replaced with the documents of the modules. */
export function useDocument({ isExpanded = false } = {}) {
  const client = useClient();
  const { read } = useKind();
  const id = useDocumentId();
  return useQuery({
    queryKey: [...documentKey(id), { isExpanded }],
    queryFn: async ({ signal }): Promise<ReadDocument> => {
      const query = expandQuery(isExpanded);
      const { data, response } = await read({ client, path: { id }, query, signal });
      return { document: data, etag: response.headers.get('etag') ?? undefined };
    },
    // The document stays visible while its modules are being expanded.
    placeholderData: (previous) => (previous?.document.id === id ? previous : undefined),
  });
}

/** Reads the versions, newest first. With `label`, reads only the versions that have this label. */
export function useVersions(label?: string) {
  const client = useClient();
  const { listVersions } = useKind();
  const id = useDocumentId();
  return useCursorList({
    queryKey: [...versionsKey(id), { label }],
    fetchPage: async (cursor, signal) => {
      const query = { limit: 50, ...(cursor && { cursor }), ...(label && { label }) };
      return (await listVersions({ client, path: { id }, query, signal })).data;
    },
  });
}

/** The number, label and note of the latest version, without its document. */
export function useLatestVersion() {
  const client = useClient();
  const { listVersions } = useKind();
  const id = useDocumentId();
  return useQuery({
    queryKey: [...versionsKey(id), 'latest'],
    queryFn: async ({ signal }) => {
      const query = { limit: 1 };
      const { data } = (await listVersions({ client, path: { id }, query, signal })).data;
      return data[0] ?? null;
    },
  });
}

export function useVersion(version: number, { isExpanded = false } = {}) {
  const client = useClient();
  const { readVersion } = useKind();
  const id = useDocumentId();
  return useQuery({
    queryKey: [...versionsKey(id), version, { isExpanded }],
    queryFn: async ({ signal }) => {
      const query = expandQuery(isExpanded);
      return (await readVersion({ client, path: { id, version }, query, signal })).data;
    },
    placeholderData: (previous, previousQuery) =>
      previousQuery?.queryKey[1] === id && previous?.version === version ? previous : undefined,
  });
}

/**
 * A comparison, and both versions with their documents. The comparison from the API does not contain the values of
 * added and removed nodes.
 */
export interface ReadComparison {
  comparison: Comparison;
  before: Version;
  after: Version;
}

export function useComparison({ from, to }: { from: number; to: number }) {
  const client = useClient();
  const { compare, readVersion } = useKind();
  const id = useDocumentId();
  return useQuery({
    queryKey: [...versionsKey(id), 'comparison', from, to],
    queryFn: async ({ signal }): Promise<ReadComparison> => {
      const query = { from: String(from), to: String(to) };
      const [comparison, before, after] = await Promise.all([
        compare({ client, path: { id }, query, signal }),
        readVersion({ client, path: { id, version: from }, signal }),
        readVersion({ client, path: { id, version: to }, signal }),
      ]);
      return { comparison: comparison.data, before: before.data, after: after.data };
    },
  });
}

/** Refetches the document, its versions and the lists of documents. */
export function useRefreshDocument() {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const { section } = useKind();
  const id = useDocumentId();
  return () =>
    Promise.all(
      [documentKey(id), versionsKey(id), [section, workspaceId]].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
}

const expandQuery = (isExpanded: boolean): { expand?: 'modules' } =>
  isExpanded ? { expand: 'modules' } : {};

/** Finds the name of an author by user id. The id is null for old module versions, whose authors were not recorded. */
export function useAuthors(): (userId: string | null) => string {
  const nameOf = useUserNames();
  return (userId) => (userId !== null && nameOf(userId)) || texts.common.unknownAuthor;
}
