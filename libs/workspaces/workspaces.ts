import { Injectable } from '@nestjs/common';
import {
  Database,
  Keysets,
  noEvent,
  matchesPrecondition,
  nextUpdatedAt,
  sqlState,
  UnitOfWork,
  withStoredEvents,
  type Page,
  type PageRequest,
  type Transaction,
} from '#database';
import {
  DomainError,
  entityTag,
  rejectReadOnlyChanges,
  parsePrecondition,
  type Precondition,
} from '#errors';
import { v7 as uuidv7 } from 'uuid';
import {
  authorise,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from './access.js';
import { audit, type AuditAction } from './audit-log.js';
import { rightIn, rolesAtLeast, type Role } from './roles.js';

export interface Workspace {
  id: string;
  name: string;
  /** The caller's role. */
  role: Role;
  createdAt: Date;
  updatedAt: Date;
}

/** Read-only fields may be sent back unchanged. */
export type WorkspaceChange = { name?: string } & {
  [Field in 'id' | 'role' | 'createdAt' | 'updatedAt']?: unknown;
};

/** @param role the caller's role, as SQL. */
const workspaceColumns = (role: string): string => `workspace.id, workspace.name, ${role} AS role,
  workspace.created_at AS "createdAt", workspace.updated_at AS "updatedAt"`;

const FOREIGN_KEY_VIOLATION = '23503';
const NO_EVENT_REASON = 'workspaces have no events';

@Injectable()
export class Workspaces {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
  ) {}

  /** Creates a workspace that the caller owns. API keys cannot own workspaces. */
  create(actor: Actor, { name }: { name: string }): Promise<Workspace> {
    return this.unitOfWork.write(async (transaction) => {
      const [row] = await transaction.query<Workspace & { kind: string; status: string }>(
        `WITH workspace AS (
           INSERT INTO workspaces (id, name)
           SELECT $2, $3 FROM users WHERE id = $1 AND status = 'active' AND kind = 'person'
           RETURNING *
         ), owner AS (
           INSERT INTO workspace_members (workspace_id, user_id, role)
           SELECT id, $1, 'owner' FROM workspace RETURNING role
         ), feed AS (
           INSERT INTO workspace_feeds (workspace_id) SELECT id FROM workspace
         )
         SELECT caller.kind, caller.status, ${workspaceColumns('owner.role')}
         FROM users caller LEFT JOIN workspace ON true LEFT JOIN owner ON true WHERE caller.id = $1`,
        [actor.userId, uuidv7(), name.trim()],
      );
      if (row?.status !== 'active') throw DomainError.inactive();
      if (row.kind !== 'person') throw DomainError.forbidden('API keys cannot create workspaces.');
      const { kind, status, ...workspace } = row;
      // Every role may get the stored response, because every member may read the workspace.
      transaction.requireForReplay(rightIn(workspace.id, 'viewer'));
      auditWorkspaceChange(transaction, actor, workspace.id, 'created', { name: workspace.name });
      return noEvent(workspace, NO_EVENT_REASON);
    }, actor.idempotencyKey);
  }

  /** Lists the workspaces that the caller is a member of. */
  async list(actor: Actor, { limit, cursor }: PageRequest): Promise<Page<Workspace>> {
    const keyset = this.keysets.forList(['workspaces', actor.userId]);
    const rows = await this.database.query<Workspace & { isCallerActive: boolean }>(
      `SELECT caller.status = 'active' AS "isCallerActive", page.* FROM users caller
       LEFT JOIN LATERAL (
         SELECT ${workspaceColumns('member.role')} FROM workspace_members member
         JOIN workspaces workspace ON workspace.id = member.workspace_id
         WHERE member.user_id = caller.id AND member.role IN (${rolesAtLeast('viewer')})
           AND (workspace.updated_at, workspace.id) < ($2, $3)
         ORDER BY workspace.updated_at DESC, workspace.id DESC LIMIT $4
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC`,
      [actor.userId, ...keyset.after(cursor), limit + 1],
    );
    if (!rows[0]?.isCallerActive) throw DomainError.inactive();
    const workspaces = rows
      .map(({ isCallerActive, ...workspace }) => workspace)
      .filter((workspace) => (workspace.id as string | null) !== null);
    return keyset.page(workspaces, limit, ({ updatedAt, id }) => [updatedAt, id]);
  }

  async get(actor: Actor, id: string): Promise<Workspace> {
    const [row] = await this.database.query<WorkspaceRow>(LOAD_WORKSPACE, [actor.userId, id]);
    return authorise(row, 'viewer', 'workspace');
  }

  rename(
    actor: Actor,
    id: string,
    change: WorkspaceChange,
    precondition?: Precondition,
  ): Promise<Workspace> {
    return this.unitOfWork.write(async (transaction) => {
      const current = await lockWorkspace(transaction, actor, id, 'owner', { precondition });
      const { name, ...readOnly } = current;
      rejectReadOnlyChanges(change, readOnly);
      const newName = change.name?.trim() ?? name;
      if (newName === name) return noEvent(current, 'nothing changed');
      const [renamed] = await transaction.query<Workspace>(
        `UPDATE workspaces AS workspace SET name = $2, updated_at = ${nextUpdatedAt}
         WHERE id = $1 RETURNING ${workspaceColumns('$3::text')}`,
        [id, newName, current.role],
      );
      auditWorkspaceChange(transaction, actor, id, 'renamed', { from: name, to: newName });
      return noEvent(renamed ?? current, NO_EVENT_REASON);
    });
  }

  /**
   * Deletes a workspace. `deleteContents` may delete rows of other libs that belong to the workspace, and store events.
   * Webhook endpoints are deleted later, after they have been notified.
   *
   * @throws DomainError `in_use` if the workspace still has contents after `deleteContents`.
   */
  delete(
    actor: Actor,
    id: string,
    deleteContents: (transaction: Transaction) => Promise<void>,
    precondition?: Precondition,
  ): Promise<void> {
    return this.unitOfWork.write(async (transaction) => {
      const options = { forDeletion: true, precondition };
      const current = await lockWorkspace(transaction, actor, id, 'owner', options);
      await deleteContents(transaction);
      await transaction.query('DELETE FROM workspaces WHERE id = $1', [id]).catch(rejectIfNotEmpty);
      auditWorkspaceChange(transaction, actor, id, 'deleted', { name: current.name });
      return withStoredEvents(undefined);
    });
  }
}

function auditWorkspaceChange(
  transaction: Transaction,
  actor: Actor,
  id: string,
  verb: 'created' | 'renamed' | 'deleted',
  details: Record<string, unknown>,
): void {
  const action: AuditAction = `workspace.${verb}`;
  audit(transaction, { actor, workspaceId: id, action, targetId: id, details });
}

/**
 * A violated foreign key means that the workspace still has contents. The code relies on foreign keys, because this lib
 * does not know which kinds of contents exist.
 */
function rejectIfNotEmpty(error: unknown): never {
  if (sqlState(error) === FOREIGN_KEY_VIOLATION) {
    throw new DomainError(
      'in_use',
      'The workspace still has templates, modules or pictures; delete them first, or send force=true to delete everything.',
    );
  }
  throw error;
}

type WorkspaceRow = CallerRow & Workspace;

const LOAD_WORKSPACE = `SELECT ${callerColumns('workspace.id')}, ${workspaceColumns('member.role')}
  ${fromCallerInWorkspace('$2')} WHERE caller.id = $1`;

/**
 * Removes the suffix `-owner` from the ETags of a precondition, because the caller's role is not part of the row's
 * state. An ETag with another role keeps its suffix, and therefore matches no state. The caller received such an ETag
 * before becoming an owner, and must load the workspace again.
 */
const withoutRole = (precondition: Precondition): Precondition =>
  precondition?.map((tag) => tag.replace(/-owner"$/, '"'));

/**
 * Keeps other transactions from deleting a workspace while a transaction adds something to it. Run this statement
 * before any other lock: a deletion also locks the workspace first, then its contents.
 */
export const LOCK_WORKSPACE_FOR_KEY_SHARE = 'SELECT FROM workspaces WHERE id = $1 FOR KEY SHARE';

/**
 * Locks a workspace that the caller is about to change, and loads it. With `forDeletion`, the lock also keeps other
 * transactions from adding something to the workspace. The two statements are sent together. They are separate because
 * the second one must see what was committed while the first one waited for the lock.
 */
export async function lockWorkspace(
  { query }: Transaction,
  actor: Actor,
  id: string,
  requiredRole: Role,
  {
    forDeletion = false,
    precondition,
  }: { forDeletion?: boolean; precondition?: Precondition } = {},
): Promise<Workspace> {
  const lockStrength = forDeletion ? 'FOR UPDATE' : 'FOR NO KEY UPDATE';
  const [locked, [row]] = await Promise.all([
    query(`SELECT FROM workspaces WHERE id = $1 AND ${matchesPrecondition('$2')} ${lockStrength}`, [
      id,
      parsePrecondition(withoutRole(precondition)),
    ]),
    query<WorkspaceRow>(LOAD_WORKSPACE, [actor.userId, id]),
  ]);
  const workspace = authorise(row, requiredRole, 'workspace');
  if (locked.length === 0) throw DomainError.stale(entityTag(workspace));
  return workspace;
}
