import { Injectable } from '@nestjs/common';
import {
  Database,
  Keysets,
  Reads,
  noEvent,
  UnitOfWork,
  type Page,
  type PageRequest,
  type Transaction,
} from '#database';
import { DomainError } from '#errors';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from './access.js';
import { audit } from './audit-log.js';
import { normalizeEmail, findOrInviteUser } from './invitations.js';
import { isRoleAtLeast, rightIn, type Role } from './roles.js';
import { lockWorkspace } from './workspaces.js';

export const memberStatuses = ['active', 'invited', 'deactivated', 'deleted'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export interface Member {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  /** `invited` until somebody signs in with the email address for the first time. */
  status: MemberStatus;
  createdAt: Date;
  updatedAt: Date;
}

const MEMBER_COLUMNS = `subject.id AS "userId", subject.email, subject.first_name AS "firstName",
  subject.last_name AS "lastName", membership.role, subject.status,
  membership.created_at AS "createdAt", membership.updated_at AS "updatedAt"`;

/** Excludes API keys. They are members too, but have separate routes. */
const IS_PERSON = `EXISTS (SELECT FROM users WHERE id = user_id AND kind = 'person')`;

const NO_EVENT_REASON = 'members have no events';

@Injectable()
export class Members {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
  ) {}

  async list(
    actor: Actor,
    workspaceId: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<Member>> {
    const keyset = this.keysets.forList(['members', workspaceId]);
    const rows = await this.database.query<CallerRow & Member & { id: string | null }>(
      `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerInWorkspace('$2')}
       LEFT JOIN LATERAL (
         SELECT ${MEMBER_COLUMNS}, subject.id FROM workspace_members membership
         JOIN users subject ON subject.id = membership.user_id AND subject.kind = 'person'
         WHERE membership.workspace_id = workspace.id
           AND (membership.updated_at, subject.id) < ($3, $4)
         ORDER BY membership.updated_at DESC, subject.id DESC LIMIT $5
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."updatedAt" DESC, page.id DESC`,
      [actor.userId, workspaceId, ...keyset.after(cursor), limit + 1],
    );
    const members = authoriseList(rows, 'viewer', 'workspace').map(({ id, ...member }) => member);
    return keyset.page(members, limit, ({ updatedAt, userId }) => [updatedAt, userId]);
  }

  /**
   * Adds a member. If no user has the email address, the address is invited. The first user who signs in with that
   * verified address becomes the member.
   */
  add(
    actor: Actor,
    workspaceId: string,
    user: { userId: string } | { email: string },
    role: Role,
  ): Promise<Member> {
    return this.unitOfWork.write(async (transaction) => {
      const { query } = transaction;
      await lockWorkspace(transaction, actor, workspaceId, 'admin');
      transaction.requireForReplay(rightIn(workspaceId, 'admin'));
      const userId =
        'userId' in user ? user.userId : await findOrInviteUser(query, normalizeEmail(user.email));
      if (role === 'owner')
        await this.assertOwnerChangeAllowed(transaction, actor, workspaceId, userId, role);
      const [row] = await query<Member & { isNew: boolean }>(
        `WITH subject AS (
           SELECT * FROM users
           WHERE id = $2 AND kind = 'person' AND status IN ('active', $4)
           -- If a concurrent transaction deletes this user, that transaction waits for this lock. If that
           -- transaction was first, the user is not found here.
           FOR SHARE
         ), membership AS (
           INSERT INTO workspace_members (workspace_id, user_id, role) SELECT $1, id, $3 FROM subject
           ON CONFLICT DO NOTHING RETURNING *
         )
         SELECT membership.user_id IS NOT NULL AS "isNew", ${MEMBER_COLUMNS}
         FROM subject LEFT JOIN membership ON true`,
        // By user id, only active users can be added; by email address, invited users can be added as well.
        [workspaceId, userId, role, 'email' in user ? 'invited' : 'active'],
      );
      if (row === undefined) throw DomainError.notFound('user');
      const { isNew, ...member } = row;
      const isInvited = member.status === 'invited';
      if (!isNew) {
        throw new DomainError(
          'already_exists',
          `The user is already ${isInvited ? 'invited' : 'a member'}.`,
        );
      }
      const action = isInvited ? 'member.invited' : 'member.added';
      const details = { role, ...(isInvited && { email: member.email }) };
      audit(transaction, { actor, workspaceId, action, targetId: userId, details });
      return noEvent(member, NO_EVENT_REASON);
    }, actor.idempotencyKey);
  }

  async changeRole(actor: Actor, workspaceId: string, userId: string, role: Role): Promise<Member> {
    const written = this.unitOfWork.write(async (transaction) => {
      await lockWorkspace(transaction, actor, workspaceId, 'admin');
      await this.assertOwnerChangeAllowed(transaction, actor, workspaceId, userId, role);
      const [changed] = await transaction.query<{ from: Role }>(
        `WITH before AS (
           SELECT role FROM workspace_members WHERE workspace_id = $1 AND user_id = $2
         )
         UPDATE workspace_members SET role = $3, updated_at = clock_timestamp()
         WHERE workspace_id = $1 AND user_id = $2 AND role <> $3 AND ${IS_PERSON}
         RETURNING (SELECT role FROM before) AS "from"`,
        [workspaceId, userId, role],
      );
      if (changed) {
        const details = { ...changed, to: role };
        audit(transaction, {
          actor,
          workspaceId,
          action: 'member.role_changed',
          targetId: userId,
          details,
        });
      }
      return noEvent(await loadMember(transaction, workspaceId, userId), NO_EVENT_REASON);
    });
    return this.applyAtOnce(userId, written);
  }

  /** Removes a member. All members may remove themselves, to leave the workspace. */
  async remove(actor: Actor, workspaceId: string, userId: string): Promise<void> {
    const written = this.unitOfWork.write(async (transaction) => {
      const isLeaving = userId === actor.userId;
      await lockWorkspace(transaction, actor, workspaceId, isLeaving ? 'viewer' : 'admin');
      await this.assertOwnerChangeAllowed(transaction, actor, workspaceId, userId, null);
      const [removed] = await transaction.query<{ role: Role }>(
        `DELETE FROM workspace_members WHERE workspace_id = $1 AND user_id = $2 AND ${IS_PERSON}
         RETURNING role`,
        [workspaceId, userId],
      );
      if (removed === undefined) throw DomainError.notFound('member');
      const action = isLeaving ? 'member.left' : 'member.removed';
      audit(transaction, { actor, workspaceId, action, targetId: userId, details: removed });
      return noEvent(undefined, NO_EVENT_REASON);
    });
    await this.applyAtOnce(userId, written);
  }

  /**
   * Makes a role change effective from the member's next request, which must not read the former role from a replica.
   * `remember` is also called after an error, because the transaction may have committed anyway.
   */
  private applyAtOnce<T>(userId: string, change: Promise<T>): Promise<T> {
    return change.finally(() => this.reads.remember(userId));
  }

  /**
   * Only owners may appoint or demote owners, and the last active owner cannot be removed or demoted. If the identity
   * provider has blocked all owners, an admin may appoint an owner.
   */
  private async assertOwnerChangeAllowed(
    { query }: Transaction,
    actor: Actor,
    workspaceId: string,
    userId: string,
    role: Role | null,
  ): Promise<void> {
    const owners = await query<{ userId: string; isActive: boolean }>(
      `SELECT user_id AS "userId", users.status = 'active' AS "isActive"
       FROM workspace_members JOIN users ON users.id = user_id
       WHERE workspace_id = $1 AND role = 'owner'`,
      [workspaceId],
    );
    const isOwner = owners.some((owner) => owner.userId === userId);
    if (isOwner === isRoleAtLeast(role, 'owner')) return;
    const activeOwners = owners.filter((owner) => owner.isActive);
    const canChangeOwners =
      activeOwners.length === 0 || activeOwners.some((owner) => owner.userId === actor.userId);
    if (!canChangeOwners) throw DomainError.forbidden('Requires the owner role in the workspace.');
    if (isOwner && activeOwners.every((owner) => owner.userId === userId)) {
      throw new DomainError(
        'last_owner',
        'A workspace must have an owner; make another member an owner first.',
      );
    }
  }
}

async function loadMember(
  { query }: Transaction,
  workspaceId: string,
  userId: string,
): Promise<Member> {
  const [member] = await query<Member>(
    `SELECT ${MEMBER_COLUMNS} FROM workspace_members membership
     JOIN users subject ON subject.id = membership.user_id AND subject.kind = 'person'
     WHERE membership.workspace_id = $1 AND membership.user_id = $2`,
    [workspaceId, userId],
  );
  if (member === undefined) throw DomainError.notFound('member');
  return member;
}

/** Ends all memberships of a user whom the identity provider has deleted. */
export async function removeFromAllWorkspaces(
  { query }: Transaction,
  userId: string,
  ipAddress: string | null,
  provider: string,
): Promise<void> {
  await query(
    `WITH membership AS (
       DELETE FROM workspace_members WHERE user_id = $1 RETURNING workspace_id, role
     )
     INSERT INTO audit_entries (id, workspace_id, action, address, target_id, details)
     SELECT uuidv7_at(now()), workspace_id, 'member.removed', $2, $1,
       json_build_object('role', role, 'by', $3::text) FROM membership`,
    [userId, ipAddress, provider],
  );
}
