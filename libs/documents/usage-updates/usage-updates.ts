import { Injectable } from '@nestjs/common';
import { Database, NIL_UUID, noEvent, parseJsonTimes, UnitOfWork, type Query } from '#database';
import { DomainError } from '#errors';
import type { LongJobProgress } from '#long-jobs';
import {
  authorise,
  callerColumns,
  joinMember,
  rightIn,
  type Actor,
  type CallerRow,
  newIdFor,
} from '#workspaces';
import { selectUsingDocuments } from './select-users.sql.js';
import { isOfKind } from '../document/fields.js';

/** A template whose pins could not be moved, and the reason. */
export interface UsageUpdateFailure {
  templateId: string;
  message: string;
}

/**
 * A long job that moves the pins of templates to another version of a module. `done` counts the templates that it has
 * changed.
 */
export interface UsageUpdate extends LongJobProgress {
  toVersion: number;
  /** The number of templates that could not be changed. */
  failed: number;
  /** The first failures, at most `MAX_FAILURES`. */
  failures: UsageUpdateFailure[];
}

export interface UsageUpdateRequest {
  /** The templates to change. By default, all templates that use the module. */
  templateIds?: readonly string[];
  toVersion: number;
}

const MAX_LISTED_UPDATES = 100;
// More failures would not help the user, and a list of updates must stay small.
export const MAX_FAILURES = 20;

const UPDATE_COLUMNS = `usage_update.id, usage_update.status, usage_update.to_version AS "toVersion",
  usage_update.total, usage_update.done, usage_update.failed, usage_update.failures,
  usage_update.created_at AS "createdAt", usage_update.finished_at AS "finishedAt"`;

/** Moves the pins of many templates to another version of a module. */
@Injectable()
export class UsageUpdates {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Counts the templates that an update would change. */
  async count(
    actor: Actor,
    moduleId: string,
    request: UsageUpdateRequest,
  ): Promise<{ count: number }> {
    const { count } = await countTemplates(this.database.query, actor, moduleId, request);
    return { count };
  }

  start(actor: Actor, moduleId: string, request: UsageUpdateRequest): Promise<UsageUpdate> {
    return this.unitOfWork.write(async ({ query, requireForReplay }) => {
      const { workspaceId, count } = await countTemplates(query, actor, moduleId, request);
      requireForReplay(rightIn(workspaceId, 'editor'));
      const { toVersion, templateIds } = request;
      const [update] = await query<UsageUpdate>(
        `WITH trimmed AS (
           DELETE FROM module_usage_updates WHERE module_id = $2 AND status <> 'running' AND id < (
             SELECT id FROM module_usage_updates WHERE module_id = $2
             ORDER BY id DESC OFFSET ${MAX_LISTED_UPDATES} LIMIT 1
           )
         )
         INSERT INTO module_usage_updates AS usage_update
           (id, module_id, workspace_id, user_id, to_version, template_ids, total)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (workspace_id) WHERE status = 'running' DO NOTHING
         RETURNING ${UPDATE_COLUMNS}`,
        [newIdFor(workspaceId), moduleId, workspaceId, actor.userId, toVersion, templateIds, count],
      );
      if (update === undefined) {
        throw new DomainError(
          'still_running',
          'Another usage update is still running in the workspace; wait until it is done, or cancel it.',
        );
      }
      return noEvent(update, 'each template has its event when the job changes the template');
    }, actor.idempotencyKey);
  }

  /** Lists the latest updates, newest first. */
  async list(actor: Actor, moduleId: string): Promise<{ data: UsageUpdate[] }> {
    const [row] = await this.database.query<CallerRow & { data: UsageUpdate[] }>(
      selectModule(`(
        SELECT coalesce(json_agg(usage_update ORDER BY usage_update.id DESC), '[]') FROM (
          SELECT ${UPDATE_COLUMNS} FROM module_usage_updates usage_update
          WHERE usage_update.module_id = module.id
          ORDER BY usage_update.id DESC LIMIT ${MAX_LISTED_UPDATES}
        ) usage_update
      ) AS data`),
      [actor.userId, moduleId],
    );
    const { data } = authorise(row, 'viewer', 'module');
    return { data: data.map((update) => parseJsonTimes(update, 'createdAt', 'finishedAt')) };
  }

  /** Cancels a running update. The templates that it has already changed keep their new versions. */
  cancel(actor: Actor, moduleId: string, id: string): Promise<UsageUpdate> {
    return this.unitOfWork.write(async ({ query }) => {
      const [rows, found, cancelled] = await Promise.all([
        query<CallerRow>(selectModule('1'), [actor.userId, moduleId]),
        query('SELECT FROM module_usage_updates WHERE id = $1 AND module_id = $2 FOR UPDATE', [
          id,
          moduleId,
        ]),
        query<UsageUpdate>(
          `UPDATE module_usage_updates usage_update SET status = 'cancelled', finished_at = now()
           WHERE id = $1 AND module_id = $2 AND status = 'running' RETURNING ${UPDATE_COLUMNS}`,
          [id, moduleId],
        ),
      ]);
      authorise(rows[0], 'editor', 'module');
      if (found.length === 0) throw DomainError.notFound('update');
      const [update] = cancelled;
      if (update === undefined) {
        throw new DomainError(
          'already_finished',
          'The usage update is finished; there is nothing to cancel.',
        );
      }
      return noEvent(update, 'each changed template has had its event');
    });
  }
}

const selectModule = (columns: string): string =>
  `SELECT ${callerColumns('module.id')}, ${columns} FROM users caller
   LEFT JOIN documents module ON module.id = $2 AND ${isOfKind('module', 'module')}
   ${joinMember('module.workspace_id')}
   WHERE caller.id = $1`;

interface CountRow extends CallerRow {
  workspaceId: string;
  hasVersion: boolean;
  count: number;
}

const COUNTED_USERS = selectUsingDocuments({
  moduleId: 'module.id',
  toVersion: '$3::integer',
  templateIds: '$4::uuid[]',
  userId: 'caller.id',
  after: `'${NIL_UUID}'`,
  limit: 'NULL',
});

async function countTemplates(
  query: Query,
  actor: Actor,
  moduleId: string,
  { toVersion, templateIds }: UsageUpdateRequest,
): Promise<{ workspaceId: string; count: number }> {
  const [row] = await query<CountRow>(
    selectModule(`module.workspace_id AS "workspaceId",
      EXISTS (
        SELECT FROM document_versions WHERE document_id = module.id AND version = $3
      ) AS "hasVersion",
      (SELECT count(*)::integer FROM (${COUNTED_USERS}) document WHERE matches) AS count`),
    [actor.userId, moduleId, toVersion, templateIds],
  );
  const { workspaceId, hasVersion, count } = authorise(row, 'editor', 'module');
  if (!hasVersion) {
    throw DomainError.invalid('toVersion', 'toVersion must be an existing version of the module');
  }
  return { workspaceId, count };
}
