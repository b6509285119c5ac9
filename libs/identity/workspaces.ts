import { Injectable } from '@nestjs/common';
import {
  Database,
  Keysets,
  noEvent,
  isAsSeen,
  touched,
  UnitOfWork,
  withRecordedEvents,
  type Page,
  type PageRequest,
  type Transaction,
} from '#database';
import { DomainError, entityTag, refuseChanges, timesOf, type Precondition } from '#errors';
import { v7 as uuidv7 } from 'uuid';
import { authorise, callerColumns, fromCallerIn, type Actor, type CallerRow } from './access.js';
import { audit, type AuditAction } from './audit.js';
import { rightIn, type Role } from './roles.js';

export interface Workspace {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The read-only fields may be repeated as they were read. */
export type WorkspaceChange = { name?: string } & {
  [Field in 'id' | 'createdAt' | 'updatedAt']?: unknown;
};

const columns = `workspace.id, workspace.name,
  workspace.created_at AS "createdAt", workspace.updated_at AS "updatedAt"`;

const FOREIGN_KEY_VIOLATION = '23503';
const NO_EVENT = 'workspaces have no events';

@Injectable()
export class Workspaces {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
  ) {}

  /** Whoever creates a workspace owns it, which a key cannot. */
  create(actor: Actor, { name }: { name: string }): Promise<Workspace> {
    return this.unitOfWork.write(async (transaction) => {
      const [row] = await transaction.query<Workspace & { kind: string; status: string }>(
        `WITH workspace AS (
           INSERT INTO workspaces (id, name)
           SELECT $2, $3 FROM users WHERE id = $1 AND status = 'active' AND kind = 'person'
           RETURNING *
         ), owner AS (
           INSERT INTO workspace_members (workspace_id, user_id, role)
           SELECT id, $1, 'owner' FROM workspace
         ), feed AS (
           INSERT INTO workspace_feeds (workspace_id) SELECT id FROM workspace
         )
         SELECT caller.kind, caller.status, ${columns}
         FROM users caller LEFT JOIN workspace ON true WHERE caller.id = $1`,
        [actor.userId, uuidv7(), name.trim()],
      );
      if (row?.status !== 'active') throw DomainError.inactive();
      if (row.kind !== 'person') throw DomainError.forbidden('API keys cannot create workspaces.');
      const { kind, status, ...workspace } = row;
      // Every member may read what the response says.
      transaction.requireForReplay(rightIn(workspace.id, 'viewer'));
      record(transaction, actor, workspace.id, 'created', { name: workspace.name });
      return noEvent(workspace, NO_EVENT);
    }, actor.once);
  }

  /** The workspaces that the caller is a member of. */
  async list(actor: Actor, { limit, cursor }: PageRequest): Promise<Page<Workspace>> {
    const keyset = this.keysets.of(['workspaces', actor.userId]);
    const rows = await this.database.query<Workspace & { callerActive: boolean }>(
      `SELECT caller.status = 'active' AS "callerActive", page.* FROM users caller
       LEFT JOIN LATERAL (
         SELECT ${columns} FROM workspace_members member
         JOIN workspaces workspace ON workspace.id = member.workspace_id
         WHERE member.user_id = caller.id AND (workspace.updated_at, workspace.id) < ($2, $3)
         ORDER BY workspace.updated_at DESC, workspace.id DESC LIMIT $4
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC`,
      [actor.userId, ...keyset.after(cursor), limit + 1],
    );
    if (!rows[0]?.callerActive) throw DomainError.inactive();
    const workspaces = rows
      .map(({ callerActive, ...workspace }) => workspace)
      .filter((workspace) => (workspace.id as string | null) !== null);
    return keyset.page(workspaces, limit, ({ updatedAt, id }) => [updatedAt, id]);
  }

  async get(actor: Actor, id: string): Promise<Workspace> {
    const [row] = await this.database.query<WorkspaceRow>(load, [actor.userId, id]);
    return authorise(row, 'viewer', 'workspace');
  }

  rename(
    actor: Actor,
    id: string,
    given: WorkspaceChange,
    state?: Precondition,
  ): Promise<Workspace> {
    return this.unitOfWork.write(async (transaction) => {
      const current = await lockWorkspace(transaction, actor, id, 'owner', { state });
      const { name, ...readOnly } = current;
      refuseChanges(given, readOnly);
      const next = given.name?.trim() ?? name;
      if (next === name) return noEvent(current, 'nothing changed');
      const [renamed] = await transaction.query<Workspace>(
        `UPDATE workspaces AS workspace SET name = $2, updated_at = ${touched}
         WHERE id = $1 RETURNING ${columns}`,
        [id, next],
      );
      record(transaction, actor, id, 'renamed', { from: name, to: next });
      return noEvent(renamed ?? current, NO_EVENT);
    });
  }

  /**
   * `contents` may delete what other libraries keep in the workspace, and leaves its events. Webhooks
   * go by themselves once they have been told.
   * @throws DomainError `conflict` when the workspace holds something after that.
   */
  delete(
    actor: Actor,
    id: string,
    contents: (transaction: Transaction) => Promise<void>,
    state?: Precondition,
  ): Promise<void> {
    return this.unitOfWork.write(async (transaction) => {
      const options = { forDeletion: true, state };
      const current = await lockWorkspace(transaction, actor, id, 'owner', options);
      await contents(transaction);
      await transaction.query('DELETE FROM workspaces WHERE id = $1', [id]).catch(refuseWhenHeld);
      record(transaction, actor, id, 'deleted', { name: current.name });
      return withRecordedEvents(undefined);
    });
  }
}

function record(
  transaction: Transaction,
  actor: Actor,
  id: string,
  what: 'created' | 'renamed' | 'deleted',
  details: Record<string, unknown>,
): void {
  const action: AuditAction = `workspace.${what}`;
  audit(transaction, { by: actor, workspaceId: id, action, targetId: id, details });
}

/** What a workspace holds refers to it; what that is, is not known here. */
function refuseWhenHeld(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION) {
    throw DomainError.conflict(
      'The workspace still holds templates or modules; delete them first, or all of it with force=true.',
    );
  }
  throw error;
}

type WorkspaceRow = CallerRow & Workspace;

const load = `SELECT ${callerColumns('workspace.id')}, ${columns} ${fromCallerIn('$2')}
  WHERE caller.id = $1`;

/**
 * Keeps a workspace from being deleted. For who makes something in it, and before anything in it is
 * locked: the deletion begins with the workspace as well, and goes on to what it holds.
 */
export const KEEP_WORKSPACE = 'SELECT FROM workspaces WHERE id = $1 FOR KEY SHARE';

/**
 * Loads a workspace whose settings the caller is about to change, and keeps others from changing
 * them until the transaction ends; with `forDeletion` also from putting anything into it. The lock is
 * a statement of its own, sent together with the next, because what the second one reads must be as
 * it is once the lock is held.
 */
export async function lockWorkspace(
  { query }: Transaction,
  actor: Actor,
  id: string,
  required: Role,
  { forDeletion = false, state }: { forDeletion?: boolean; state?: Precondition } = {},
): Promise<Workspace> {
  const lock = forDeletion ? 'FOR UPDATE' : 'FOR NO KEY UPDATE';
  const [locked, [row]] = await Promise.all([
    query(`SELECT FROM workspaces WHERE id = $1 AND ${isAsSeen('$2')} ${lock}`, [
      id,
      timesOf(state),
    ]),
    query<WorkspaceRow>(load, [actor.userId, id]),
  ]);
  const workspace = authorise(row, required, 'workspace');
  if (locked.length === 0) throw DomainError.stale(entityTag(workspace));
  return workspace;
}
