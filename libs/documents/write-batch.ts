import { nextUpdatedAtInOrder, type UnitOfWork } from '#database';
import { requireMatchingTargets } from '#errors';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  LOCK_WORKSPACE_FOR_KEY_SHARE,
  rightIn,
  type Actor,
  type CallerRow,
} from '#workspaces';
import {
  assignIds,
  findChanges,
  inChunks,
  outcomeOfBatch,
  selectComparableContent,
  type Batch,
  type OperationResult,
} from './batch-operations.js';
import {
  documentEvent,
  FIRST_SEQUENCE,
  isSameRow,
  nextRow,
  rowFields,
  summaryColumns,
  type AnyDocumentType,
  type DocumentSummary,
  type WritableFields,
} from './document-type.js';
import { JsonText } from './json-text.js';

export type DocumentBatch<Text extends string = never> = Batch<
  WritableFields<Text>,
  Partial<WritableFields<Text>>
>;

type BatchRow = DocumentSummary & { eventCount: number };

interface Write {
  id: string;
  content?: JsonText | undefined;
  row: Record<string, string>;
}

/**
 * Carries out all operations or none, each as if it were a request of its own, in as many statements for a
 * thousand operations as for one, except for documents that are compared, and for more than 2 MiB of
 * documents. No two operations are about the same document.
 */
export function writeBatch<Kind extends string, Own extends object>(
  unitOfWork: UnitOfWork,
  type: AnyDocumentType & { kind: Kind; defaults: Own },
  actor: Actor,
  batch: DocumentBatch,
): Promise<{ data: OperationResult<Record<Kind, DocumentSummary & Own>>[] }> {
  const { kind, table, versions } = type;
  const { operations, creations, updates, deletions } = assignIds(batch);
  const targetIds = idsOf([...updates, ...deletions]);

  return unitOfWork.write(async ({ query, requireForReplay }) => {
    const [, , rows] = await Promise.all([
      query(LOCK_WORKSPACE_FOR_KEY_SHARE, [batch.workspaceId]),
      query(lockStatement(type), [targetIds, batch.workspaceId]),
      query<CallerRow & BatchRow>(loadStatement(type), [
        actor.userId,
        batch.workspaceId,
        targetIds,
      ]),
    ]);
    const existing = authoriseList(rows, 'editor', 'workspace');
    requireForReplay(rightIn(batch.workspaceId, 'editor'));
    const getCurrent = requireMatchingTargets(batch.operations, existing, kind);
    const changes = await findChanges<Write>(
      updates.map((update) => ({
        id: update.id,
        content: update.content,
        row: nextRow(type, update, getCurrent(update.id)),
      })),
      ({ id, row }) => isSameRow(type, row, getCurrent(id)),
      query,
      selectComparableContent(
        `SELECT content FROM (SELECT * FROM ${table} WHERE id = wanted.id LIMIT 1) ${kind}
         ${versions?.join ?? ''}`,
      ),
    );
    const inserts = creations.map((creation) => ({
      id: creation.id,
      content: creation.content,
      row: nextRow(type, creation, type.defaults),
    }));
    // If the documents are not in the rows, one statement writes all rows.
    const toRow = (write: Write) => (versions ? { ...write, content: undefined } : write);
    const [created, updated] = await Promise.all([
      inChunks(inserts.map(toRow), (chunk) =>
        query<BatchRow>(insertStatement(type), [batch.workspaceId, ...columnArrays(type, chunk)]),
      ),
      inChunks(changes.map(toRow), (chunk) =>
        query<BatchRow>(updateStatement(type), columnArrays(type, chunk)),
      ),
      versions &&
        inChunks([...inserts, ...changes], (chunk) =>
          query(versions.appendAll, [idsOf(chunk), contentsOf(chunk), actor.userId]),
        ),
      query(`DELETE FROM ${table} WHERE id = ANY ($1)`, [idsOf(deletions)]),
    ]);
    const writtenById = new Map([...created, ...updated].map((row) => [row.id, row]));
    return outcomeOfBatch(
      {
        data: operations.map(({ action, id }) => {
          if (action === 'delete') return { action, id };
          const { eventCount, ...summary } = writtenById.get(id) ?? getCurrent(id);
          const resource = { [kind]: summary } as Record<Kind, DocumentSummary & Own>;
          return { action, ...resource };
        }),
      },
      operations.map(({ action, id }) => {
        if (action === 'delete') {
          return documentEvent(type, 'deleted', getCurrent(id), getCurrent(id).eventCount + 1);
        }
        const written = writtenById.get(id);
        return written && documentEvent(type, `${action}d`, written, written.eventCount);
      }),
    );
  }, actor.idempotencyKey);
}

/**
 * Rows are locked in the same order by all batches, so that no two batches deadlock, and only rows of this
 * workspace. IS TRUE keeps PostgreSQL from reading the whole workspace through an index that begins with
 * the column.
 */
const lockStatement = ({ table }: AnyDocumentType) =>
  `SELECT FROM ${table} WHERE id = ANY ($1) AND (workspace_id = $2) IS TRUE ORDER BY id FOR UPDATE`;

const batchColumns = (type: AnyDocumentType) =>
  `${summaryColumns(type)}, ${type.kind}.${type.counter} AS "eventCount"`;

const loadStatement = (type: AnyDocumentType) =>
  `SELECT ${callerColumns('workspace.id')}, document.* ${fromCallerInWorkspace('$2')}
   LEFT JOIN (unnest($3::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
     SELECT ${batchColumns(type)} FROM ${type.table} ${type.kind} WHERE ${type.kind}.id = wanted.id LIMIT 1
   ) document) ON document."workspaceId" = member.workspace_id
   WHERE caller.id = $1`;

const insertStatement = (type: AnyDocumentType) => {
  const { kind, table, counter } = type;
  const columns = inputColumns(type).join(', ');
  return `INSERT INTO ${table} AS ${kind} (workspace_id, ${columns}, ${counter}, created_at, updated_at)
    SELECT $1, ${columns}, ${FIRST_SEQUENCE}, at, at
    FROM ${inputRows(type, 2)}, (SELECT time_of_change() AS at) change
    RETURNING ${batchColumns(type)}`;
};

// The rows are locked, so that their place (ctid) does not change. A document that is not given stays.
const updateStatement = (type: AnyDocumentType) => {
  const { kind, table, counter, versions } = type;
  const assignments = rowFields(type).map((field) => `${field} = input.${field}`);
  if (!versions) {
    assignments.push(
      `content = CASE json_typeof(input.content) WHEN 'null' THEN ${kind}.content ELSE input.content END`,
    );
  }
  return `UPDATE ${table} ${kind}
    SET ${assignments.join(', ')}, ${counter} = ${counter} + 1, updated_at = ${nextUpdatedAtInOrder}
    FROM ${inputRows(type, 1)}
    CROSS JOIN LATERAL (SELECT ctid AS place FROM ${table} WHERE id = input.id LIMIT 1) located
    WHERE ${kind}.ctid = located.place
    RETURNING ${batchColumns(type)}`;
};

const inputColumns = (type: AnyDocumentType): string[] => [
  'id',
  ...rowFields(type),
  ...(type.versions ? [] : CONTENT_COLUMN),
];
const CONTENT_COLUMN = ['content'];

/** The rows of `columnArrays`, the first of which is the parameter `$<firstParameter>`. */
function inputRows(type: AnyDocumentType, firstParameter: number): string {
  const texts = rowFields(type).map((_, index) => `$${firstParameter + 1 + index}::text[]`);
  const rows = `unnest($${firstParameter}::uuid[], ${texts.join(', ')})`;
  const contents = `json_array_elements($${firstParameter + 1 + texts.length}::json)`;
  const sources = type.versions ? rows : `${rows}, ${contents}`;
  return `ROWS FROM (${sources}) AS input (${inputColumns(type).join(', ')})`;
}

function columnArrays(type: AnyDocumentType, writes: readonly Write[]): unknown[] {
  const texts = rowFields(type).map((field) => writes.map(({ row }) => row[field]));
  const arrays: unknown[] = [idsOf(writes), ...texts];
  if (!type.versions) arrays.push(contentsOf(writes));
  return arrays;
}

const contentsOf = (writes: readonly Write[]) =>
  JsonText.arrayOf(writes.map(({ content }) => content));

const idsOf = (resources: readonly { id: string }[]) => resources.map(({ id }) => id);
