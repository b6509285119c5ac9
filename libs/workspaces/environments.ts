import { Injectable } from '@nestjs/common';
import {
  Database,
  noEvent,
  sqlState,
  UnitOfWork,
  withStoredEvents,
  type Transaction,
} from '#database';
import { DomainError } from '#errors';
import { authorise, callerColumns, fromCallerInWorkspace, type Actor } from './access.js';
import type { CallerRow } from './access.js';
import { audit } from './audit-log.js';
import { rightIn } from './roles.js';
import { lockWorkspace } from './workspaces.js';

/** A place that templates are published to, such as `production` or `staging`. */
export interface Environment {
  name: string;
  /** Null for `production`, which every workspace has from its creation. */
  createdBy: string | null;
  createdAt: Date;
}

/** The environment that every workspace has. */
export const PRODUCTION = 'production';

// Environments are stages of a workflow, not recipients or campaigns, so teams have three or four. With this limit, the
// list fits into one page, and a template is published in few environments.
const MAX_ENVIRONMENTS = 20;

const FOREIGN_KEY_VIOLATION = '23503';
const NO_EVENT_REASON = 'environments have no events';

/** Manages the environments of each workspace. `libs/publishing` publishes templates in them. */
@Injectable()
export class Environments {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Lists `production` first, then the other environments by name. The list has at most `MAX_ENVIRONMENTS` elements.
   */
  async list(actor: Actor, workspaceId: string): Promise<{ data: Environment[] }> {
    const rows = await this.database.query<CallerRow & Environment>(
      `SELECT ${callerColumns('workspace.id')}, environment.* ${fromCallerInWorkspace('$2')}
       LEFT JOIN LATERAL (
         SELECT '${PRODUCTION}' AS name, NULL::uuid AS "createdBy", workspace.created_at AS "createdAt"
         UNION ALL
         SELECT name, created_by, created_at FROM environments
         WHERE workspace_id = member.workspace_id AND name <> '${PRODUCTION}'
       ) environment ON true
       WHERE caller.id = $1
       ORDER BY environment.name <> '${PRODUCTION}', environment.name COLLATE "C"`,
      [actor.userId, workspaceId],
    );
    // There is no row if the caller does not exist.
    if (rows.length === 0) throw DomainError.inactive();
    return { data: rows.map((row) => authorise(row, 'viewer', 'workspace')) };
  }

  create(actor: Actor, workspaceId: string, { name }: { name: string }): Promise<Environment> {
    return this.unitOfWork.write(async (transaction) => {
      await lockWorkspace(transaction, actor, workspaceId, 'admin');
      transaction.requireForReplay(rightIn(workspaceId, 'admin'));
      const [row] = await transaction.query<Partial<Environment> & { others: number }>(
        `WITH other AS (
           SELECT name FROM environments WHERE workspace_id = $1 AND name <> '${PRODUCTION}'
         ), created AS (
           INSERT INTO environments (workspace_id, name, created_by)
           SELECT $1, $2, $3
           WHERE $2 <> '${PRODUCTION}' AND $2 NOT IN (SELECT name FROM other)
             AND (SELECT count(*) FROM other) < ${MAX_ENVIRONMENTS - 1}
           RETURNING *
         )
         SELECT created.name, created.created_by AS "createdBy", created.created_at AS "createdAt",
           (SELECT count(*)::integer FROM other WHERE name <> $2) AS others
         FROM (SELECT) always LEFT JOIN created ON true`,
        [workspaceId, name, actor.userId],
      );
      const { others = 0, ...environment } = row ?? {};
      if (!isCreated(environment)) {
        throw name !== PRODUCTION && others >= MAX_ENVIRONMENTS - 1
          ? new DomainError(
              'limit_reached',
              `The workspace has ${MAX_ENVIRONMENTS} environments, which is the limit; delete one first.`,
            )
          : new DomainError('already_exists', 'The environment already exists.');
      }
      auditEnvironment(transaction, actor, workspaceId, 'created', name);
      return noEvent(environment, NO_EVENT_REASON);
    }, actor.idempotencyKey);
  }

  /**
   * Deletes an environment. Before the deletion, runs `unpublishAll` in the same transaction, so that the caller can
   * delete everything that is published or scheduled in the environment, and store the events.
   *
   * @throws DomainError `in_use` if, after `unpublishAll`, something is still published or scheduled in the
   * environment; `conflict` for `production`.
   */
  delete(
    actor: Actor,
    workspaceId: string,
    name: string,
    unpublishAll: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    return this.unitOfWork.write(async (transaction) => {
      // Publishing locks the environment before the template, so deletions do the same.
      const [, [environment]] = await Promise.all([
        lockWorkspace(transaction, actor, workspaceId, 'admin'),
        transaction.query(
          'SELECT 1 FROM environments WHERE workspace_id = $1 AND name = $2 FOR UPDATE',
          [workspaceId, name],
        ),
      ]);
      if (name === PRODUCTION) {
        throw DomainError.conflict(
          `The environment ${PRODUCTION} cannot be deleted, because every workspace must have it.`,
        );
      }
      if (environment === undefined) throw DomainError.notFound('environment');
      await unpublishAll(transaction);
      await transaction
        .query('DELETE FROM environments WHERE workspace_id = $1 AND name = $2', [
          workspaceId,
          name,
        ])
        .catch(rejectIfInUse);
      auditEnvironment(transaction, actor, workspaceId, 'deleted', name);
      return withStoredEvents(undefined);
    });
  }
}

const isCreated = (environment: Partial<Environment>): environment is Environment =>
  typeof environment.name === 'string';

/** Environments have no ids, so `targetId` is the workspace. */
function auditEnvironment(
  transaction: Transaction,
  actor: Actor,
  workspaceId: string,
  verb: 'created' | 'deleted',
  name: string,
): void {
  const action = `environment.${verb}` as const;
  audit(transaction, { actor, workspaceId, action, targetId: workspaceId, details: { name } });
}

function rejectIfInUse(error: unknown): never {
  if (sqlState(error) === FOREIGN_KEY_VIOLATION) {
    throw new DomainError(
      'in_use',
      'Templates are published or scheduled in the environment; unpublish them and cancel the schedules first, or send force=true to do both.',
    );
  }
  throw error;
}
