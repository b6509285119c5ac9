import type { DocumentType } from '../document/document-type.js';
import { matchesExternalId } from '../document/external-ids.js';
import type { DocumentKind, TextName, Texts } from '../document/fields.js';

/** Whether a document must have all of the given tags, or at least one of them. */
export const tagMatches = ['all', 'any'] as const;
export type TagMatch = (typeof tagMatches)[number];

/**
 * The filters of a list. A document must match all of them. Text fields are compared exactly. `DocumentType.filters`
 * names the text fields that a list can be filtered by.
 */
export interface DocumentFilters extends Partial<Texts<DocumentKind>> {
  /** Text that the name must contain, ignoring case. */
  search?: string;
  tags?: readonly string[];
  /** Default: `all`. */
  tagsMatch?: TagMatch;
  externalId?: string;
  createdBy?: string;
  updatedBy?: string;
  /** The id of a module that the document must refer to. */
  moduleId?: string;
  /** Selects templates by whether they are published in this environment. */
  published?: { environment: string; isPublished: boolean };
}

/**
 * The SQL fragments of a filter. The surrounding statement must contain a table `member` that has a column
 * `workspace_id`.
 */
export interface Filter {
  /** A condition on the row `document`. */
  matches: string;
  /**
   * A SELECT of the ids of matching documents, at most `MAX_CANDIDATES` + 1. It may return duplicates, and ids of
   * documents in other workspaces. Undefined if no index can find the documents.
   */
  candidates?: string;
}

/**
 * If a filter has at most this many candidates, the statement reads and sorts these candidates, which takes a few
 * milliseconds. If every filter has more candidates, the statement scans the list.
 */
export const MAX_CANDIDATES = 1_000;
const CANDIDATE_LIMIT = `LIMIT ${MAX_CANDIDATES + 1}`;

/** @param parameter adds a value to the statement and returns its placeholder. */
export function buildFilters(
  { kind, filters: textFilters }: DocumentType,
  request: DocumentFilters,
  parameter: (value: unknown) => string,
): Filter[] {
  const { search, tags, tagsMatch, externalId, createdBy, updatedBy, moduleId, published } =
    request;
  const filters: Filter[] = [];
  if (search !== undefined && search !== '') {
    filters.push({ matches: `strpos(lower(document.name), lower(${parameter(search)})) > 0` });
  }
  for (const name of textFilters) {
    const value = request[name as TextName<DocumentKind>];
    if (value !== undefined) filters.push({ matches: `document.${name} = ${parameter(value)}` });
  }
  if (tags !== undefined) filters.push(tagFilter(kind, tagsMatch, `${parameter(tags)}::text[]`));
  if (externalId !== undefined) filters.push(externalIdFilter(kind, parameter(externalId)));
  if (createdBy) filters.push({ matches: `document.created_by = ${parameter(createdBy)}` });
  if (updatedBy) filters.push({ matches: `document.updated_by = ${parameter(updatedBy)}` });
  if (moduleId) filters.push(usageFilter(parameter(moduleId)));
  if (published) {
    filters.push(publishedFilter(parameter(published.environment), published.isPublished));
  }
  return filters;
}

function tagFilter(kind: string, match: TagMatch = 'all', tags: string): Filter {
  const documentsOf = (tag: string) =>
    `SELECT document_id FROM document_tags
     WHERE workspace_id = member.workspace_id AND tag = ${tag} AND kind = '${kind}'
     ${CANDIDATE_LIMIT}`;
  if (match === 'any') {
    return {
      matches: `document.tags && ${tags}`,
      candidates: `SELECT DISTINCT document_id
        FROM unnest(${tags}) wanted CROSS JOIN LATERAL (${documentsOf('wanted')}) found
        ${CANDIDATE_LIMIT}`,
    };
  }
  const rarestTag = `SELECT wanted FROM unnest(${tags}) wanted CROSS JOIN LATERAL (
      SELECT count(*) AS documents FROM (${documentsOf('wanted')}) found
    ) counted ORDER BY documents LIMIT 1`;
  return { matches: `document.tags @> ${tags}`, candidates: documentsOf(`(${rarestTag})`) };
}

const externalIdFilter = (kind: DocumentKind, externalId: string): Filter => ({
  matches: `document.external_id = ${externalId}`,
  candidates: `SELECT id AS document_id FROM documents document
    WHERE ${matchesExternalId(kind, 'member.workspace_id', externalId)} LIMIT 1`,
});

const usageFilter = (moduleId: string): Filter => ({
  matches: `0 < (SELECT count(*) FROM (
      SELECT FROM module_usages WHERE document_id = document.id AND module_id = ${moduleId} LIMIT 1
    ) used)`,
  // A document has one row for each pinned version of the module, and one row for its references that follow the latest
  // version. The limit counts rows, not documents, so the SELECT must return duplicates. If it removed duplicates after
  // the limit, few ids could remain, although many more documents use the module.
  candidates: `SELECT document_id FROM module_usages WHERE module_id = ${moduleId} ${CANDIDATE_LIMIT}`,
});

const publishedFilter = (environment: string, isPublished: boolean): Filter => ({
  matches: `${isPublished ? 1 : 0} = (SELECT count(*) FROM (
      SELECT FROM template_pointers WHERE template_id = document.id AND environment = ${environment} LIMIT 1
    ) pointer)`,
  ...(isPublished && {
    candidates: `SELECT template_id AS document_id FROM template_pointers
      WHERE workspace_id = member.workspace_id AND environment = ${environment} ${CANDIDATE_LIMIT}`,
  }),
});
