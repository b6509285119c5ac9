import { ChangeStatement, type Change } from '#database';
import type { JsonText } from '#json';
import {
  callerColumns,
  fromCallerInWorkspace,
  rightIn,
  rolesAtLeast,
  type Actor,
  type CallerRow,
} from '#workspaces';
import {
  changedColumns,
  columnValue,
  FIRST_VERSION,
  writableColumns,
  type ChangedRow,
  type DocumentType,
} from '../document/document-type.js';
import { checkReferencesCtes } from '../references/check-references.sql.js';
import {
  insertUsagesFrom,
  SELECT_PROBLEMS,
  toJson,
  type DocumentReferences,
  type ProblemsRow,
} from '../references/store-references.js';
import { queueDocuments } from '../search/queue-documents.sql.js';
import { freeCopyName } from './copy-name.js';
import {
  countParameters,
  insertVersions,
  parametersOf,
  writtenRows,
  type Write,
} from './written-rows.js';

export interface Insert {
  workspaceId: string;
  documents: readonly (Write & { content: JsonText })[];
  /** The event count of each new document. */
  events: number;
  /** The name from which a free name for the copy is derived. If undefined, the rows contain the names. */
  copyOf?: string | undefined;
  /** If set, the statement inserts only one document, and also checks and stores its references. */
  references?: DocumentReferences;
  maxExpandedBytes?: number;
}

export type InsertedRow = CallerRow & ChangedRow & ProblemsRow;

/**
 * Inserts documents with their first versions. Writes nothing if the workspace does not exist, if the caller may not
 * edit its documents, or if a reference cannot be used. Returns the caller's rights with each document, or one row
 * without a document if nothing was written.
 */
export function insertDocuments(
  type: DocumentType,
  actor: Actor,
  { workspaceId, documents, events, copyOf, references, maxExpandedBytes = 0 }: Insert,
): Pick<Change<InsertedRow, never>, 'statement' | 'values' | 'right'> {
  const hasReferences = references !== undefined && references.references.length > 0;
  const values = [
    ...parametersOf(type, actor, documents),
    workspaceId,
    events,
    ...(copyOf === undefined ? [] : [copyOf]),
    ...(hasReferences ? [toJson([references]), maxExpandedBytes] : []),
  ];
  const shape = {
    isSingle: documents.length === 1,
    isCopy: copyOf !== undefined,
    hasReferences,
  };
  return { statement: statementOf(type, shape), values, right: rightIn(workspaceId, 'editor') };
}

interface Shape {
  isSingle: boolean;
  isCopy: boolean;
  hasReferences: boolean;
}

const statements = new Map<string, ChangeStatement>();

function statementOf(type: DocumentType, shape: Shape): ChangeStatement {
  const key = `${type.kind} ${shape.isSingle} ${shape.isCopy} ${shape.hasReferences}`;
  let statement = statements.get(key);
  if (statement === undefined) {
    statement = makeStatement(type, shape);
    statements.set(key, statement);
  }
  return statement;
}

/**
 * The main CTEs:
 * - input: the documents, if the caller may insert them and no reference has a problem.
 * - change: the time of the change, which is the same for all documents.
 */
function makeStatement(type: DocumentType, { isSingle, isCopy, hasReferences }: Shape) {
  const { kind } = type;
  const fields = writableColumns(type);
  let parameters = countParameters(type);
  const next = () => `$${++parameters}`;
  const [workspace, events] = [next(), next()];
  const columns = fields.map((field) => `${columnValue(field, `input.${field}`)} AS ${field}`);
  if (isCopy)
    columns[0] = `coalesce(input.name, ${freeCopyName(kind, '"foundId"', next())}) AS name`;
  const check = hasReferences ? checkReferencesCtes(next(), '$1', next(), false) : '';
  const ctes = `${check && `RECURSIVE ${check},`} caller AS (
      SELECT ${callerColumns('workspace.id')} ${fromCallerInWorkspace(workspace)} WHERE caller.id = $1
    ), change AS MATERIALIZED (SELECT time_of_change() AS at), input AS MATERIALIZED (
      SELECT input.id, ${columns.join(', ')}, input.content, "foundId" AS workspace_id, at
      FROM caller CROSS JOIN change CROSS JOIN ${writtenRows(type, isSingle)}
      WHERE "isCallerActive" AND "callerRole" IN (${rolesAtLeast('editor')})
        ${check && 'AND NOT EXISTS (SELECT FROM problem)'}
    ), document AS (
      INSERT INTO documents AS document
        (kind, id, workspace_id, ${fields.join(', ')}, version, events, created_at, created_by, updated_at, updated_by)
      SELECT '${kind}', id, workspace_id, ${fields.join(', ')}, ${FIRST_VERSION}, ${events}::integer, at, $1, at, $1
      FROM input RETURNING ${changedColumns(type)}
    ), version AS (
      ${insertVersions(type, { source: 'input', version: String(FIRST_VERSION), at: 'written.at' })}
    ), queued AS (
      ${queueDocuments(`SELECT id, workspace_id, ${FIRST_VERSION} AS version FROM input`)}
    )
    ${check && `, usage AS (${insertUsagesFrom(kind, 'input CROSS JOIN reference')})`}`;
  return new ChangeStatement({
    ctes,
    changedCte: 'document',
    select: `SELECT "isCallerActive", "callerRole", "foundId", document.* ${check && `, ${SELECT_PROBLEMS}`}
      FROM caller LEFT JOIN document ON true`,
    parameters,
  });
}
