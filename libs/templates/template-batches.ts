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
import {
  columns,
  EMPTY_CONTENT,
  eventData,
  FIRST_VERSION,
  type NewTemplate,
  type TemplateSummary,
} from './templates.js';

type Fields = Pick<NewTemplate, 'name' | 'content'>;

type TemplateBatch = Batch<Fields, Partial<Fields>>;

/**
 * Always in the same order, so that no two batches wait for each other, and none of another workspace.
 * IS TRUE keeps PostgreSQL from reading all of the workspace by an index that begins with it.
 */
const LOCK = `SELECT FROM templates WHERE id = ANY ($1) AND (workspace_id = $2) IS TRUE
  ORDER BY id FOR UPDATE`;

const LOAD = `SELECT ${callerColumns('workspace.id')}, template.* ${fromCallerIn('$2')}
  LEFT JOIN (unnest($3::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
    SELECT ${columns} FROM templates template WHERE template.id = wanted.id LIMIT 1
  ) template) ON template."workspaceId" = member.workspace_id
  WHERE caller.id = $1`;

const LATEST_DOCUMENTS = comparable(`
  SELECT content FROM (SELECT version FROM templates WHERE id = wanted.id LIMIT 1) template
  CROSS JOIN LATERAL (
    SELECT content FROM template_versions
    WHERE template_id = wanted.id AND version = template.version LIMIT 1
  ) latest`);

const CREATE = `INSERT INTO templates AS template (id, workspace_id, name, version, created_at, updated_at)
  SELECT id, $1, name, ${FIRST_VERSION}, at, at
  FROM unnest($2::uuid[], $3::text[]) AS given (id, name), (SELECT time_of_change() AS at) change
  RETURNING ${columns}`;

// They are locked, and so they stay where they are.
const UPDATE = `UPDATE templates template
  SET name = given.name, version = version + 1, updated_at = ${touchedInTime}
  FROM unnest($1::uuid[], $2::text[]) AS given (id, name)
  CROSS JOIN LATERAL (SELECT ctid AS place FROM templates WHERE id = given.id LIMIT 1) found
  WHERE template.ctid = found.place
  RETURNING ${columns}`;

/** Of those that were created or updated. A document that is not given stays as it was. */
const ADD_VERSIONS = `INSERT INTO template_versions (template_id, version, name, content, created_by, created_at)
  SELECT template.id, template.version, template.name,
    CASE json_typeof(given.content) WHEN 'null' THEN earlier.content ELSE given.content END,
    $3, template.updated_at
  FROM ROWS FROM (unnest($1::uuid[]), json_array_elements($2::json)) AS given (id, content)
  CROSS JOIN LATERAL (SELECT * FROM templates WHERE id = given.id LIMIT 1) template
  LEFT JOIN LATERAL (
    SELECT content FROM template_versions
    WHERE template_id = given.id AND version = template.version - 1 LIMIT 1
  ) earlier ON true`;

const DELETE = 'DELETE FROM templates WHERE id = ANY ($1)';

@Injectable()
export class TemplateBatches {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Does all of the operations or none, each as `Templates` does it, in as many statements for a
   * thousand as for one, save for documents that are to be compared, and for more than 2 MiB of them. No two of them are about the
   * same template. Gives what has become of each.
   */
  write(
    actor: Actor,
    batch: TemplateBatch,
  ): Promise<{ data: Result<{ template: TemplateSummary }>[] }> {
    const { steps, creations, updates, deletions } = stepsOf(batch);
    const targets = idsOf([...updates, ...deletions]);

    return this.unitOfWork.write(async ({ query, requireForReplay }) => {
      const [, , rows] = await Promise.all([
        query(KEEP_WORKSPACE, [batch.workspaceId]),
        query(LOCK, [targets, batch.workspaceId]),
        query<CallerRow & TemplateSummary>(LOAD, [actor.userId, batch.workspaceId, targets]),
      ]);
      const present = authoriseList(rows, 'editor', 'workspace');
      requireForReplay(rightIn(batch.workspaceId, 'editor'));
      const before = requireStates(batch.operations, present, 'template');
      const changes = await changesAmong(
        updates.map(({ id, name, content }) => ({
          ...{ id, content, name: name?.trim() ?? before(id).name },
        })),
        ({ id, name }) => name === before(id).name,
        query,
        LATEST_DOCUMENTS,
      );
      const versions = [
        ...creations.map(({ id, content = EMPTY_CONTENT }) => ({ id, content })),
        ...changes,
      ];
      const [created, updated] = await Promise.all([
        query<TemplateSummary>(CREATE, [
          ...[batch.workspaceId, idsOf(creations), creations.map(({ name }) => name.trim())],
        ]),
        query<TemplateSummary>(UPDATE, [idsOf(changes), changes.map(({ name }) => name)]),
        inParts(versions, (part) =>
          query(ADD_VERSIONS, [
            ...[idsOf(part), JsonText.list(part.map(({ content }) => content)), actor.userId],
          ]),
        ),
        query(DELETE, [idsOf(deletions)]),
      ]);
      const written = new Map([...created, ...updated].map((template) => [template.id, template]));
      return outcomeOf(
        {
          data: steps.map(({ action, id }) =>
            action === 'delete'
              ? { action, id }
              : { action, template: written.get(id) ?? before(id) },
          ),
        },
        steps.map(({ action, id }) =>
          action === 'delete' ? deleted(before(id)) : writtenBy(action, written.get(id)),
        ),
      );
    }, actor.once);
  }
}

const deleted = (template: TemplateSummary) =>
  event('template.deleted', template.version + 1, eventData(template));

const kinds = { create: 'template.created', update: 'template.updated' } as const;

const writtenBy = (action: keyof typeof kinds, template: TemplateSummary | undefined) =>
  template && event(kinds[action], template.version, eventData(template));

const idsOf = (resources: readonly { id: string }[]) => resources.map(({ id }) => id);
