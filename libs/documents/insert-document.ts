import type { Statement, Transaction } from '#database';
import {
  authorise,
  callerColumns,
  fromCallerInWorkspace,
  rightIn,
  rolesAtLeast,
  type Actor,
  type CallerRow,
} from '#workspaces';
import { appendVersionCte } from './versions/append-version.js';
import { freeCopyName } from './copy-name.js';
import type { DocumentStore } from './document-store.js';
import {
  columnValue,
  rowFields,
  summaryColumns,
  type AnyDocumentType,
  type Document,
  type DocumentSummary,
} from './document-type.js';
import type { JsonText } from './json-text.js';
import { checkReferencesCtes } from './references/check-references.sql.js';
import { queueDocuments } from './search/queue-documents.sql.js';
import {
  insertUsagesOf,
  lockReferences,
  rejectProblems,
  SELECT_PROBLEMS,
  storeReferences,
  toJson,
  type DocumentReferences,
  type ProblemsRow,
} from './references/store-references.js';

type TypeOf<Own> = AnyDocumentType & { defaults: Own };

/** A document to insert. */
export interface Insert {
  id: string;
  workspaceId: string;
  row: Record<string, string>;
  content: JsonText;
  /**
   * The name from which a free name for the copy is made; if undefined, the document gets the name in
   * `row`.
   */
  copyOf?: string | undefined;
  eventCount: number;
  /** If given, the same statement stores and checks the references. */
  references?: DocumentReferences;
  maxExpandedBytes?: number;
}

type InsertedRow = CallerRow & DocumentSummary & ProblemsRow;

/**
 * Inserts nothing if the workspace does not exist, if the caller may not edit its documents, or if a reference
 * cannot be used.
 */
export function insertStatement<Own extends object>(
  type: TypeOf<Own>,
  actor: Actor,
  { id, workspaceId, row, content, copyOf, eventCount, references, maxExpandedBytes = 0 }: Insert,
): Statement<InsertedRow, Document<Own>> {
  const { kind } = type;
  const name = `coalesce($4, ${freeCopyName(kind, '"foundId"', '$5')})`;
  const fields = rowFields(type).filter((field) => field !== 'name');
  const columns = [...fields, 'events'];
  const expressions = columns.map((column, index) => columnValue(column, `$${7 + index}`));
  const values = [
    actor.userId,
    workspaceId,
    id,
    copyOf === undefined ? row['name'] : undefined,
    copyOf,
    content.source,
    ...fields.map((field) => row[field]),
    eventCount,
  ];
  const hasReferences = (references?.references.length ?? 0) > 0;
  let check = '';
  if (references && hasReferences) {
    const parameter = (offset: number) => `$${values.length + offset}`;
    check = checkReferencesCtes(parameter(1), '$1', parameter(2), false);
    values.push(toJson([references]), maxExpandedBytes);
  }
  return {
    ctes: `${check && `RECURSIVE ${check},`} caller AS (
        SELECT ${callerColumns('workspace.id')} ${fromCallerInWorkspace('$2')} WHERE caller.id = $1
      ), document AS (
        INSERT INTO documents AS document (id, kind, workspace_id, name, ${columns.join(', ')}, created_at, created_by, updated_at, updated_by)
        SELECT $3, '${kind}', "foundId", ${name}, ${expressions.join(', ')}, at, $1, at, $1
        FROM caller CROSS JOIN (SELECT time_of_change() AS at) change
        WHERE "isCallerActive" AND "callerRole" IN (${rolesAtLeast('editor')})
          ${check && 'AND NOT EXISTS (SELECT FROM problem)'}
        RETURNING ${summaryColumns(type)}
      ), ${appendVersionCte(type, '$6::json', '$1')}, queued AS (
        ${queueDocuments(`SELECT id, "workspaceId" AS workspace_id, version FROM document`)}
      )
      ${check && `, usage AS (${insertUsagesOf(kind, 'document CROSS JOIN reference')})`}`,
    changedCte: 'document',
    right: rightIn(workspaceId, 'editor'),
    select: `SELECT "isCallerActive", "callerRole", "foundId", document.* ${check && `, ${SELECT_PROBLEMS}`}
      FROM caller LEFT JOIN document ON true`,
    values,
    resultOf: ([inserted]) => {
      const { problems, ...summary } = authorise(inserted, 'editor', 'workspace');
      rejectProblems({ problems }, maxExpandedBytes);
      return { ...summary, content } as Document<Own>;
    },
  };
}

/** Inserts a document and its references. All statements are sent together. */
export async function insertDocument<Own extends object>(
  { maxExpandedBytes }: DocumentStore,
  transaction: Transaction,
  type: TypeOf<Own>,
  actor: Actor,
  insert: Insert,
  references: DocumentReferences,
): Promise<Document<Own>> {
  const { ctes, select, values, resultOf } = insertStatement(type, actor, insert);
  const [, rows, problems] = await Promise.all([
    lockReferences(transaction, type, [references]),
    transaction.query<InsertedRow>(`WITH ${ctes} ${select}`, values),
    storeReferences(transaction, type, actor, [references], { isNew: true, maxExpandedBytes }),
  ]);
  const document = resultOf(rows);
  rejectProblems(problems, maxExpandedBytes);
  return document;
}
