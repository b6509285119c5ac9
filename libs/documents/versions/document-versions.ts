import type { Page, PageRequest } from '#database';
import { DomainError, type Precondition } from '#errors';
import {
  authorise,
  authoriseList,
  callerColumns,
  joinMember,
  rightIn,
  type Actor,
  type CallerRow,
} from '#workspaces';
import { contentInPage, pageWindow } from '../document/content-in-page.js';
import type { DocumentStore } from '../document/document-store.js';
import {
  joinDocument,
  nextRow,
  versionedFields,
  type DocumentType,
  type Document,
} from '../document/document-type.js';
import { JsonText } from '#json';
import type { DocumentKind, Texts } from '../document/fields.js';
import { expandRows, type Expand, type Expanded } from '../references/expand-documents.js';
import { pinReferences } from '../references/pin-references.js';
import { lockReferences, readCopiedReferences } from '../references/store-references.js';
import { lockDocument, replaceDocument } from '../write/update-document.js';

interface VersionFields {
  version: number;
  name: string;
  createdAt: Date;
  /** Null if the version was created before Galley stored the author of a change. */
  createdBy: string | null;
  /** Users may give a version a label and a note. Both are empty by default. */
  label: string;
  note: string;
}

/** A document as it was after one of its changes. Only the label and the note of a version can change. */
export type Version<Kind extends DocumentKind = DocumentKind> = VersionFields &
  Texts<Kind> & { content: JsonText };

type VersionRow = VersionFields & { content: string };
type ScannedRow = VersionRow & { id: string | null; matches: boolean; isScanEnd: boolean };

// PostgreSQL's largest `integer`.
const MAX_VERSION = 2_147_483_647;

const NEWEST_FIRST = 'version.version DESC';

export const versionColumns = (type: DocumentType): string =>
  [
    'version.version',
    ...versionedFields(type).map((field) => `version.${field}`),
    'version.label',
    'version.note',
    'version.created_at AS "createdAt"',
    'version.created_by AS "createdBy"',
  ].join(', ');

export interface ListVersionsRequest extends PageRequest {
  content: boolean;
  /** Replaces references with the contents of the modules, as they were when the version was created. */
  expand?: Expand;
  /** Only versions with exactly this label. */
  label?: string;
  /** Only versions that this user created. */
  createdBy?: string;
  /** Only versions that were created at or after this time. */
  since?: Date;
  /** Only versions that were created before this time. */
  until?: Date;
}

// No index supports the filters. A page therefore scans at most this many versions, and then ends with a cursor.
const MAX_SCANNED = 5_000;

/**
 * Lists versions, newest first. With a filter, a page may contain fewer versions than `limit`, or none at all, and
 * still have a next cursor.
 */
export async function listVersions<Kind extends DocumentKind>(
  store: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  documentId: string,
  { limit, cursor, content, expand, ...filter }: ListVersionsRequest,
): Promise<Page<Version<Kind> | Omit<Version<Kind>, 'content'>>> {
  const { database, keysets } = store;
  const { label, createdBy, since, until } = filter;
  const scope = ['versions', documentId, label, createdBy, since, until];
  const keyset = keysets.forList(scope, [MAX_VERSION]);
  const rows = await database.query<CallerRow & ScannedRow>(
    `SELECT ${callerColumns('document.id')}, page.* FROM users caller
     ${joinDocument(type, '$2')}
     ${joinMember('document.workspace_id')}
     LEFT JOIN LATERAL (
       SELECT version.document_id AS id, ${versionColumns(type)}, matches, "isScanEnd"
         ${content ? `, ${contentInPage('version')}` : ''}
       FROM (
         SELECT *, rank = ${MAX_SCANNED} AS "isScanEnd" FROM (
           SELECT *, row_number() OVER (ORDER BY version DESC) AS rank,
             ($5::text IS NULL OR label = $5) AND ($6::uuid IS NULL OR created_by = $6)
               AND ($7::timestamptz IS NULL OR created_at >= $7)
               AND ($8::timestamptz IS NULL OR created_at < $8) AS matches
           FROM document_versions
           WHERE document_id = document.id AND version < $3
           ORDER BY version DESC LIMIT ${MAX_SCANNED}
         ) version
         WHERE matches OR rank = ${MAX_SCANNED}
         ORDER BY ${NEWEST_FIRST} LIMIT $4
       ) version ${content ? pageWindow(NEWEST_FIRST) : ''}
     ) page ON true
     WHERE caller.id = $1 ORDER BY page.version DESC`,
    [actor.userId, documentId, ...keyset.after(cursor), limit + 1, label, createdBy, since, until],
  );
  const scanned = authoriseList(rows, 'viewer', type.kind);
  const versions = scanned
    .filter(({ matches }) => matches)
    .map(({ id, matches, isScanEnd, ...version }) => version);
  const shown =
    content && expand === 'modules'
      ? await expandRows(store, actor, versions, ({ createdAt }) => createdAt)
      : versions;
  const page = keyset.page(shown, limit, ({ version }) => [version]);
  const data = content ? page.data.map(toVersion) : page.data;
  const last = scanned.at(-1);
  const nextCursor = page.nextCursor ?? (last?.isScanEnd ? keyset.cursorAt([last.version]) : null);
  return { nextCursor, data: data as (Version<Kind> | Omit<Version<Kind>, 'content'>)[] };
}

export async function getVersion<Kind extends DocumentKind>(
  store: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  documentId: string,
  versionNumber: number,
  expand?: Expand,
): Promise<Version<Kind> & Expanded> {
  const [row] = await store.database.query<CallerRow & VersionRow>(
    `SELECT ${callerColumns('document.id')}, ${versionColumns(type)}, version.content::text AS content
     FROM users caller
     ${joinDocument(type, '$2')}
     LEFT JOIN document_versions version
       ON version.document_id = document.id AND version.version = $3
     ${joinMember('document.workspace_id')}
     WHERE caller.id = $1`,
    [actor.userId, documentId, versionNumber],
  );
  const version = authorise(row, 'viewer', type.kind);
  if ((version.version as number | null) === null) throw DomainError.notFound('version');
  const [shown = version] = expand
    ? await expandRows(store, actor, [version], ({ createdAt }) => createdAt)
    : [];
  return toVersion(shown);
}

/**
 * The modules that a document uses after an earlier version has been restored. With `as-then`, the restore pins the
 * references to the module versions that the earlier version used. With `as-now`, the restore does not change the
 * references, so references without a pin use the latest versions.
 */
export const restoredModules = ['as-then', 'as-now'] as const;
export type RestoredModules = (typeof restoredModules)[number];

/** Appends a version with the text fields and the content of an earlier version. */
export const restoreVersion = <Kind extends DocumentKind>(
  store: DocumentStore,
  type: DocumentType<Kind>,
  actor: Actor,
  id: string,
  versionNumber: number,
  { modules, precondition }: { modules: RestoredModules; precondition?: Precondition },
): Promise<Document<Kind>> =>
  store.unitOfWork.write(async (transaction) => {
    // The earlier version is loaded before the document is locked, because the locks for the version's references must
    // be taken first.
    const [earlier] = await transaction.query<VersionRow>(
      `SELECT ${versionColumns(type)}, content::text AS content FROM document_versions version
       WHERE document_id = $1 AND version = $2 AND kind = '${type.kind}'`,
      [id, versionNumber],
    );
    const stored = new JsonText(earlier?.content ?? '');
    const content =
      earlier && modules === 'as-then'
        ? await pinReferences(transaction.query, actor.userId, stored, earlier.createdAt)
        : stored;
    const references = await readCopiedReferences(id, content);
    const [, current] = await Promise.all([
      lockReferences(transaction, type, [references]),
      lockDocument(transaction, type, actor, id, precondition),
    ]);
    if (earlier === undefined) throw DomainError.notFound('version');
    transaction.requireForReplay(rightIn(current.workspaceId, 'editor'));
    const row = nextRow(type, earlier, current);
    return replaceDocument(store, transaction, type, actor, { current, row, content, references });
  }, actor.idempotencyKey);

const toVersion = (row: VersionRow) =>
  ({ ...row, content: new JsonText(row.content) }) as unknown as Version;
