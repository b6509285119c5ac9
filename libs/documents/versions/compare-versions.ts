import type { Query } from '#database';
import { DomainError } from '#errors';
import { authorise, callerColumns, joinMember, type Actor, type CallerRow } from '#workspaces';
import { versionedFields, type DocumentType } from '../document/document-type.js';
import { compareDocuments, createJsonPatch, JsonText, type DocumentComparison } from '#json';
import { isOfKind } from '../document/fields.js';

/** A version number, the latest version, or the version of a template that is published in an environment. */
export type VersionSelector = number | 'latest' | { environment: string };

export interface CompareRequest {
  /** By default, the version before `to`, or the latest version if `toId` is another document. */
  from?: VersionSelector;
  /** By default, the latest version. */
  to?: VersionSelector;
  /** The document of `to`. By default, the document of `from`. */
  toId?: string;
}

interface ComparedVersion {
  id: string;
  version: number;
  name: string;
}

export interface VersionComparison extends DocumentComparison {
  from: ComparedVersion;
  to: ComparedVersion;
  /** The name and the text fields that differ. */
  fields: { name: string; before: string; after: string }[];
}

type Database = { readonly query: Query };
type VersionRow = ComparedVersion & { content: string };

export async function compareVersions(
  database: Database,
  type: DocumentType,
  actor: Actor,
  id: string,
  request: CompareRequest,
): Promise<VersionComparison> {
  const [from, to] = await loadVersions(database, type, actor, id, request);
  const comparison = await compareDocuments(new JsonText(from.content), new JsonText(to.content));
  const fields = versionedFields(type).map((name) => ({
    name,
    before: textOf(from, name),
    after: textOf(to, name),
  }));
  return {
    from: pickVersion(from),
    to: pickVersion(to),
    ...comparison,
    fields: fields.filter(({ before, after }) => before !== after),
  };
}

/** Returns a JSON Patch (RFC 6902) that turns the content of `from` into the content of `to`. */
export async function patchBetweenVersions(
  database: Database,
  type: DocumentType,
  actor: Actor,
  id: string,
  request: CompareRequest,
): Promise<JsonText> {
  const [from, to] = await loadVersions(database, type, actor, id, request);
  return createJsonPatch(new JsonText(from.content), new JsonText(to.content));
}

/** Loads both versions with one statement, if the caller may read both documents. */
async function loadVersions(
  { query }: Database,
  type: DocumentType,
  actor: Actor,
  id: string,
  { from, to = 'latest', toId = id }: CompareRequest,
): Promise<[from: VersionRow, to: VersionRow]> {
  const isBeforeTo = from === undefined && toId === id;
  const selectors = [isBeforeTo ? to : (from ?? 'latest'), to];
  const environments = selectors.map((selector) =>
    typeof selector === 'object' ? selector.environment : null,
  );
  const [fromRow, toRow] = await query<CallerRow & VersionRow>(selectVersions(type), [
    actor.userId,
    [id, toId],
    selectors.map((selector) => (typeof selector === 'number' ? selector : null)),
    environments,
    [isBeforeTo ? 1 : 0, 0],
  ]);
  const [fromEnvironment, toEnvironment] = environments;
  return [
    requireVersion(type, fromRow, fromEnvironment),
    requireVersion(type, toRow, toEnvironment),
  ];
}

/**
 * Selects the versions to compare. The arrays $2 to $5 have one element for each version. LIMIT keeps PostgreSQL from
 * reordering the joins (`PLANNER_SETTINGS`).
 * - $2: the id of the document.
 * - $3: the version number, or null for the latest version.
 * - $4: the environment whose published version is compared, or null to use $3.
 * - $5: the number of versions to go back from the chosen version, but never beyond the first version.
 */
const selectVersions = (type: DocumentType): string => {
  const fields = versionedFields(type).map((field) => `version.${field}`);
  return `SELECT ${callerColumns('document.id')}, document.id, version.version, ${fields.join(', ')},
      version.content::text AS content
    FROM users caller
    CROSS JOIN unnest($2::uuid[], $3::integer[], $4::text[], $5::integer[]) WITH ORDINALITY
      AS wanted (id, version, environment, steps_back, side)
    LEFT JOIN LATERAL (
      SELECT id, workspace_id, version FROM documents
      WHERE id = wanted.id AND ${isOfKind('documents', type.kind)} LIMIT 1
    ) document ON true
    LEFT JOIN LATERAL (
      SELECT version FROM template_pointers
      WHERE template_id = document.id AND environment = wanted.environment LIMIT 1
    ) pointer ON true
    CROSS JOIN LATERAL (
      SELECT CASE WHEN environment IS NULL THEN coalesce(wanted.version, document.version)
        ELSE pointer.version END AS number
    ) chosen
    LEFT JOIN LATERAL (
      SELECT * FROM document_versions
      WHERE document_id = document.id
        AND version = number - CASE WHEN number > 1 THEN steps_back ELSE 0 END LIMIT 1
    ) version ON true
    ${joinMember('document.workspace_id')}
    WHERE caller.id = $1 ORDER BY side`;
};

function requireVersion(
  { kind }: DocumentType,
  row: (CallerRow & VersionRow) | undefined,
  environment: string | null | undefined,
): VersionRow {
  const version = authorise(row, 'viewer', kind);
  if ((version.version as number | null) === null) {
    throw DomainError.notFound(environment === null ? 'version' : 'publication');
  }
  return version;
}

const pickVersion = ({ id, version, name }: VersionRow): ComparedVersion => ({ id, version, name });

const textOf = (row: VersionRow, field: string): string =>
  (row as unknown as Record<string, string>)[field] ?? '';
