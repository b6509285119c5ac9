import {
  matchesPrecondition,
  nextUpdatedAtInOrder,
  noEvent,
  withEvents,
  type WorkResult,
  type Statement,
  type Transaction,
  type UnitOfWork,
} from '#database';
import {
  DomainError,
  entityTag,
  rejectReadOnlyChanges,
  parsePrecondition,
  type Precondition,
} from '#errors';
import {
  authorise,
  callerColumns,
  fromCallerInWorkspace,
  rightIn,
  rolesAtLeast,
  type Actor,
  type CallerRow,
} from '#workspaces';
import { v7 as uuidv7 } from 'uuid';
import { freeCopyName, stripCopySuffix } from './copy-name.js';
import {
  documentEvent,
  eventDataExpression,
  FIRST_SEQUENCE,
  isSameRow,
  nextRow,
  readOnlyFields,
  rowFields,
  summaryColumns,
  type AnyDocumentType,
  type Document,
  type DocumentChange,
  type DocumentSummary,
  type WritableFields,
} from './document-type.js';
import type { JsonText } from './json-text.js';
import { getDocument } from './read-documents.js';

type TypeOf<Own> = AnyDocumentType & { defaults: Own };

export function createDocument<Own extends object>(
  unitOfWork: UnitOfWork,
  type: TypeOf<Own>,
  actor: Actor,
  input: WritableFields & { workspaceId: string },
): Promise<Document<Own>> {
  const { workspaceId } = input;
  const id = uuidv7();
  const row = nextRow(type, input, type.defaults);
  return unitOfWork.writeStatement(
    insertStatement(type, actor, { ...input, id, row, eventCount: FIRST_SEQUENCE }),
    documentEvent(type, 'created', { ...type.defaults, ...row, id, workspaceId }, FIRST_SEQUENCE),
    actor.idempotencyKey,
  );
}

export const updateDocument = <Own extends object>(
  unitOfWork: UnitOfWork,
  type: TypeOf<Own>,
  actor: Actor,
  id: string,
  change: DocumentChange<object>,
  precondition?: Precondition,
): Promise<Document<Own>> =>
  unitOfWork.write(async (transaction) => {
    const current = await lockDocument(transaction, type, actor, id, precondition);
    rejectReadOnlyChanges(change as Record<string, unknown>, readOnlyFields(type, current));
    const row = nextRow(type, change, current);
    const content = change.content ?? current.content;
    if (isSameRow(type, row, current) && (await content.equals(current.content))) {
      return noEvent(current, 'nothing changed');
    }
    return replaceDocument(transaction, type, actor, { id, row, content });
  });

/** Replaces the writable fields of a locked document. */
export async function replaceDocument<Own extends object>(
  { query }: Transaction,
  type: TypeOf<Own>,
  actor: Actor,
  { id, row, content }: { id: string; row: Record<string, string>; content: JsonText },
): Promise<WorkResult<Document<Own>>> {
  const { kind, table, counter, versions } = type;
  const values: unknown[] = [id, content.source, ...rowFields(type).map((field) => row[field])];
  const assignments = rowFields(type).map((field, index) => `${field} = $${3 + index}`);
  if (!versions) assignments.push('content = $2');
  const version = versions?.append('$2', `$${values.length + 1}`);
  if (versions) values.push(actor.userId);
  const [updated] = await query<DocumentSummary & { eventCount: number }>(
    `WITH ${kind} AS (
       UPDATE ${table} ${kind} SET ${assignments.join(', ')}, ${counter} = ${counter} + 1,
         updated_at = ${nextUpdatedAtInOrder}
       WHERE id = $1 RETURNING ${summaryColumns(type)}, ${counter} AS "eventCount"
     ) ${version ? `, ${version}` : ''}
     SELECT * FROM ${kind}`,
    values,
  );
  if (updated === undefined) throw vanished(type);
  const { eventCount, ...summary } = updated;
  const document = { ...summary, content } as Document<Own>;
  return withEvents(document, documentEvent(type, 'updated', document, eventCount));
}

export const deleteDocument = (
  unitOfWork: UnitOfWork,
  type: AnyDocumentType,
  actor: Actor,
  id: string,
  precondition?: Precondition,
): Promise<void> =>
  unitOfWork.write(async (transaction) => {
    const document = await lockDocument(transaction, type, actor, id, precondition);
    const [deleted] = await transaction.query<{ sequence: number }>(
      `DELETE FROM ${type.table} WHERE id = $1 RETURNING ${type.counter} + 1 AS sequence`,
      [id],
    );
    if (deleted === undefined) throw vanished(type);
    return withEvents(undefined, documentEvent(type, 'deleted', document, deleted.sequence));
  });

/** Deletes the documents of a workspace that the same transaction deletes, each with its event. */
export async function deleteDocuments(
  { query }: Transaction,
  type: AnyDocumentType,
  workspaceId: string,
): Promise<void> {
  await query(
    `WITH deleted AS (DELETE FROM ${type.table} WHERE workspace_id = $1 RETURNING *)
     INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
     SELECT uuidv7_at(clock_timestamp()), '${type.kind}.deleted', workspace_id, id,
       ${type.counter} + 1, ${eventDataExpression(type)}
     FROM deleted`,
    [workspaceId],
  );
}

export interface DuplicateOptions {
  name?: string;
  /** Another workspace of the caller, for the copy. */
  workspaceId?: string;
}

/** Inserts a copy, whose events count from `eventCount`. The caller decides which event the copy has. */
export async function duplicateDocument<Own extends object>(
  transaction: Transaction,
  type: TypeOf<Own>,
  actor: Actor,
  sourceId: string,
  options: DuplicateOptions & { eventCount: number },
): Promise<Document<Own>> {
  const source = await getDocument(transaction, type, actor, sourceId);
  const { name, workspaceId = source.workspaceId, eventCount } = options;
  transaction.requireForReplay(rightIn(source.workspaceId, 'viewer'));
  transaction.requireForReplay(rightIn(workspaceId, 'editor'));
  const { ctes, select, values, resultOf } = insertStatement(type, actor, {
    id: uuidv7(),
    workspaceId,
    row: nextRow(type, { name }, source),
    content: source.content,
    copyOf: name === undefined ? stripCopySuffix(source.name) : undefined,
    eventCount,
  });
  return resultOf(await transaction.query(`WITH ${ctes} ${select}`, values));
}

/**
 * Loads a document that is about to change. The lock is a statement of its own, sent together with the
 * next one, because the next one must see what was committed while the first waited for the lock.
 */
export async function lockDocument<Own extends object>(
  transaction: Transaction,
  type: TypeOf<Own>,
  actor: Actor,
  id: string,
  precondition?: Precondition,
): Promise<Document<Own>> {
  const [locked, document] = await Promise.all([
    transaction.query(
      `SELECT FROM ${type.table} WHERE id = $1 AND ${matchesPrecondition('$2')} FOR UPDATE`,
      [id, parsePrecondition(precondition)],
    ),
    getDocument(transaction, type, actor, id, 'editor'),
  ]);
  if (locked.length === 0) throw DomainError.stale(entityTag(document));
  return document;
}

interface Insert {
  id: string;
  workspaceId: string;
  row: Record<string, string>;
  content: JsonText;
  /** The name from which to make a free copy name, instead of the row's name. */
  copyOf?: string | undefined;
  eventCount: number;
}

/** Inserts nothing if the workspace does not exist or the caller has no access to it. */
function insertStatement<Own extends object>(
  type: TypeOf<Own>,
  actor: Actor,
  { id, workspaceId, row, content, copyOf, eventCount }: Insert,
): Statement<CallerRow & DocumentSummary, Document<Own>> {
  const { kind, table, counter, texts, versions } = type;
  const name = `coalesce($4, ${freeCopyName(table, '"foundId"', '$5')})`;
  const columns = [...texts, counter];
  const expressions = columns.map((_, index) => `$${7 + index}`);
  if (!versions) {
    columns.push('content');
    expressions.push('$6');
  }
  const version = versions?.append('$6', '$1');
  return {
    ctes: `caller AS (
        SELECT ${callerColumns('workspace.id')} ${fromCallerInWorkspace('$2')} WHERE caller.id = $1
      ), ${kind} AS (
        INSERT INTO ${table} AS ${kind} (id, workspace_id, name, ${columns.join(', ')}, created_at, updated_at)
        SELECT $3, "foundId", ${name}, ${expressions.join(', ')}, at, at
        FROM caller CROSS JOIN (SELECT time_of_change() AS at) change
        WHERE "isCallerActive" AND "callerRole" IN (${rolesAtLeast('editor')})
        RETURNING ${summaryColumns(type)}
      ) ${version ? `, ${version}` : ''}`,
    changedCte: kind,
    right: rightIn(workspaceId, 'editor'),
    select: `SELECT "isCallerActive", "callerRole", "foundId", ${kind}.* FROM caller LEFT JOIN ${kind} ON true`,
    values: [
      actor.userId,
      workspaceId,
      id,
      copyOf === undefined ? row.name : undefined,
      copyOf,
      content.source,
      ...texts.map((field) => row[field]),
      eventCount,
    ],
    resultOf: ([inserted]) => {
      const summary = authorise(inserted, 'editor', 'workspace');
      return { ...summary, content } as Document<Own>;
    },
  };
}

const vanished = ({ kind }: AnyDocumentType) =>
  new Error(`A ${kind} vanished while it was locked.`);
