import { Injectable } from '@nestjs/common';
import {
  changesAmong,
  comparable,
  inParts,
  JsonText,
  outcomeOf,
  stepsOf,
  touchedInTime,
  UnitOfWork,
  type Batch,
  type Result,
} from '#database';
import { requireStates } from '#errors';
import { event } from '#events';
import {
  authoriseList,
  callerColumns,
  fromCallerIn,
  type Actor,
  type CallerRow,
  KEEP_WORKSPACE,
  rightIn,
} from '#identity';
import { columns, eventData, FIRST_EVENT, type ModuleSummary, type NewModule } from './modules.js';

type Fields = Omit<NewModule, 'workspaceId'>;

type ModuleBatch = Batch<Fields, Partial<Fields>>;

/** A module and how many events it has had. */
type Row = ModuleSummary & { events: number };

/**
 * Always in the same order, so that no two batches wait for each other, and none of another workspace.
 * IS TRUE keeps PostgreSQL from reading all of the workspace by an index that begins with it.
 */
const LOCK = `SELECT FROM modules WHERE id = ANY ($1) AND (workspace_id = $2) IS TRUE
  ORDER BY id FOR UPDATE`;

const LOAD = `SELECT ${callerColumns('workspace.id')}, module.* ${fromCallerIn('$2')}
  LEFT JOIN (unnest($3::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
    SELECT ${columns}, module.events FROM modules module WHERE module.id = wanted.id LIMIT 1
  ) module) ON module."workspaceId" = member.workspace_id
  WHERE caller.id = $1`;

const DOCUMENTS = comparable('SELECT content FROM modules WHERE id = wanted.id LIMIT 1');

const CREATE = `INSERT INTO modules AS module (id, workspace_id, name, category, description, content,
    events, created_at, updated_at)
  SELECT id, $1, name, category, description, content, ${FIRST_EVENT}, at, at
  FROM ROWS FROM (
    unnest($2::uuid[], $3::text[], $4::text[], $5::text[]), json_array_elements($6::json)
  ) AS given (id, name, category, description, content), (SELECT time_of_change() AS at) change
  RETURNING ${columns}, module.events`;

// They are locked, and so they stay where they are. A document that is not given stays as well.
const UPDATE = `UPDATE modules module
  SET name = given.name, category = given.category, description = given.description,
    content = CASE json_typeof(given.content) WHEN 'null' THEN module.content ELSE given.content END,
    events = events + 1, updated_at = ${touchedInTime}
  FROM ROWS FROM (
    unnest($1::uuid[], $2::text[], $3::text[], $4::text[]), json_array_elements($5::json)
  ) AS given (id, name, category, description, content)
  CROSS JOIN LATERAL (SELECT ctid AS place FROM modules WHERE id = given.id LIMIT 1) found
  WHERE module.ctid = found.place
  RETURNING ${columns}, module.events`;

const DELETE = 'DELETE FROM modules WHERE id = ANY ($1)';

@Injectable()
export class ModuleBatches {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Does all of the operations or none, each as `Modules` does it, in as many statements for a
   * thousand as for one, save for documents that are to be compared, and for more than 2 MiB of them. No two of them are about the
   * same module. Gives what has become of each.
   */
  write(actor: Actor, batch: ModuleBatch): Promise<{ data: Result<{ module: ModuleSummary }>[] }> {
    const { steps, creations, updates, deletions } = stepsOf(batch);
    const targets = [...updates, ...deletions].map(({ id }) => id);

    return this.unitOfWork.write(async ({ query, requireForReplay }) => {
      const [, , rows] = await Promise.all([
        query(KEEP_WORKSPACE, [batch.workspaceId]),
        query(LOCK, [targets, batch.workspaceId]),
        query<CallerRow & Row>(LOAD, [actor.userId, batch.workspaceId, targets]),
      ]);
      const present = authoriseList(rows, 'editor', 'workspace');
      requireForReplay(rightIn(batch.workspaceId, 'editor'));
      const before = requireStates(batch.operations, present, 'module');
      const changes = await changesAmong(
        updates.map(({ id, name, category, description, content }) => ({
          id,
          name: name?.trim() ?? before(id).name,
          category: category ?? before(id).category,
          description: description ?? before(id).description,
          content,
        })),
        (next) =>
          next.name === before(next.id).name &&
          next.category === before(next.id).category &&
          next.description === before(next.id).description,
        query,
        DOCUMENTS,
      );
      const news = creations.map(({ name, category = '', description = '', ...rest }) => ({
        ...{ ...rest, name: name.trim(), category, description },
      }));
      const [created, updated] = await Promise.all([
        inParts(news, (part) => query<Row>(CREATE, [batch.workspaceId, ...columnsOf(part)])),
        inParts(changes, (part) => query<Row>(UPDATE, columnsOf(part))),
        query(DELETE, [deletions.map(({ id }) => id)]),
      ]);
      const written = new Map([...created, ...updated].map((module) => [module.id, module]));
      return outcomeOf(
        {
          data: steps.map(({ action, id }) =>
            action === 'delete'
              ? { action, id }
              : { action, module: toSummary(written.get(id) ?? before(id)) },
          ),
        },
        steps.map(({ action, id }) =>
          action === 'delete' ? deleted(before(id)) : writtenBy(action, written.get(id)),
        ),
      );
    }, actor.once);
  }
}

const columnsOf = (modules: readonly (Partial<Fields> & { id: string })[]) => [
  modules.map(({ id }) => id),
  modules.map(({ name }) => name),
  modules.map(({ category }) => category),
  modules.map(({ description }) => description),
  JsonText.list(modules.map(({ content }) => content)),
];

const toSummary = ({ events, ...module }: Row): ModuleSummary => module;

const deleted = (module: Row) => event('module.deleted', module.events + 1, eventData(module));

const kinds = { create: 'module.created', update: 'module.updated' } as const;

const writtenBy = (action: keyof typeof kinds, module: Row | undefined) =>
  module && event(kinds[action], module.events, eventData(module));
