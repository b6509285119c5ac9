import { Injectable } from '@nestjs/common';
import {
  Database,
  Keysets,
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
  fromCallerIn,
  type Actor,
  type CallerRow,
} from './access.js';
import { audit } from './audit.js';
import { normalEmail, userOfEmail } from './invitations.js';
import { mayActAs, rightIn, type Role } from './roles.js';
import { lockWorkspace } from './workspaces.js';

export const memberStatuses = ['active', 'invited', 'deactivated', 'deleted'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export interface Member {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  /** `invited` until the address has signed in for the first time. */
  status: MemberStatus;
  createdAt: Date;
  updatedAt: Date;
}

const columns = `subject.id AS "userId", subject.email, subject.first_name AS "firstName",
  subject.last_name AS "lastName", membership.role, subject.status,
  membership.created_at AS "createdAt", membership.updated_at AS "updatedAt"`;

/** Keys are members too, but have routes of their own. */
const isPerson = `EXISTS (SELECT FROM users WHERE id = user_id AND kind = 'person')`;

const NO_EVENT = 'members have no events';

@Injectable()
export class Members {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
  ) {}

  async list(
    actor: Actor,
    workspaceId: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<Member>> {
    const keyset = this.keysets.of(['members', workspaceId]);
    const rows = await this.database.query<CallerRow & Member & { id: string | null }>(
      `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerIn('$2')}
       LEFT JOIN LATERAL (
         SELECT ${columns}, subject.id FROM workspace_members membership
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

  /** Whoever has no user yet is invited: a member as soon as that verified address signs in. */
  add(
    actor: Actor,
    workspaceId: string,
    newcomer: { userId: string } | { email: string },
    role: Role,
  ): Promise<Member> {
    return this.unitOfWork.write(async (transaction) => {
      const { query } = transaction;
      await lockWorkspace(transaction, actor, workspaceId, 'admin');
      transaction.requireForReplay(rightIn(workspaceId, 'admin'));
      const userId =
        'userId' in newcomer
          ? newcomer.userId
          : await userOfEmail(query, normalEmail(newcomer.email));
      if (role === 'owner') await this.guardOwners(transaction, actor, workspaceId, userId, role);
      const [row] = await query<Member & { isNew: boolean }>(
        `WITH subject AS (
           SELECT * FROM users
           WHERE id = $2 AND kind = 'person' AND status IN ('active', $4)
           -- Who is deleted meanwhile leaves after this, or is not found.
           FOR SHARE
         ), membership AS (
           INSERT INTO workspace_members (workspace_id, user_id, role) SELECT $1, id, $3 FROM subject
           ON CONFLICT DO NOTHING RETURNING *
         )
         SELECT membership.user_id IS NOT NULL AS "isNew", ${columns}
         FROM subject LEFT JOIN membership ON true`,
        // Nobody but whoever knows the address has to do with an invitation of it.
        [workspaceId, userId, role, 'email' in newcomer ? 'invited' : 'active'],
      );
      if (row === undefined) throw DomainError.notFound('user');
      const { isNew, ...member } = row;
      const isInvited = member.status === 'invited';
      if (!isNew) {
        throw DomainError.conflict(`The user is ${isInvited ? 'invited' : 'a member'} already.`);
      }
      const action = isInvited ? 'member.invited' : 'member.added';
      const details = { role, ...(isInvited && { email: member.email }) };
      audit(transaction, { by: actor, workspaceId, action, targetId: userId, details });
      return noEvent(member, NO_EVENT);
    }, actor.once);
  }

  changeRole(actor: Actor, workspaceId: string, userId: string, role: Role): Promise<Member> {
    return this.unitOfWork.write(async (transaction) => {
      await lockWorkspace(transaction, actor, workspaceId, 'admin');
      await this.guardOwners(transaction, actor, workspaceId, userId, role);
      const [changed] = await transaction.query<{ from: Role }>(
        `WITH before AS (
           SELECT role FROM workspace_members WHERE workspace_id = $1 AND user_id = $2
         )
         UPDATE workspace_members SET role = $3, updated_at = clock_timestamp()
         WHERE workspace_id = $1 AND user_id = $2 AND role <> $3 AND ${isPerson}
         RETURNING (SELECT role FROM before) AS "from"`,
        [workspaceId, userId, role],
      );
      if (changed) {
        const details = { ...changed, to: role };
        audit(transaction, {
          ...{ by: actor, workspaceId, action: 'member.role_changed', targetId: userId, details },
        });
      }
      return noEvent(await load(transaction, workspaceId, userId), NO_EVENT);
    });
  }

  /** Removes a member. Everybody may remove themselves, which is to leave. */
  remove(actor: Actor, workspaceId: string, userId: string): Promise<void> {
    return this.unitOfWork.write(async (transaction) => {
      const leaves = userId === actor.userId;
      await lockWorkspace(transaction, actor, workspaceId, leaves ? 'viewer' : 'admin');
      await this.guardOwners(transaction, actor, workspaceId, userId, null);
      const [removed] = await transaction.query<{ role: Role }>(
        `DELETE FROM workspace_members WHERE workspace_id = $1 AND user_id = $2 AND ${isPerson}
         RETURNING role`,
        [workspaceId, userId],
      );
      if (removed === undefined) throw DomainError.notFound('member');
      const action = leaves ? 'member.left' : 'member.removed';
      audit(transaction, { by: actor, workspaceId, action, targetId: userId, details: removed });
      return noEvent(undefined, NO_EVENT);
    });
  }

  /**
   * Only an owner makes or unmakes an owner, and the last one who is active stays. Where the
   * provider has shut out all of them, an admin may name a new one.
   */
  private async guardOwners(
    { query }: Transaction,
    actor: Actor,
    workspaceId: string,
    userId: string,
    role: Role | null,
  ): Promise<void> {
    const owners = await query<{ userId: string; active: boolean }>(
      `SELECT user_id AS "userId", users.status = 'active' AS active
       FROM workspace_members JOIN users ON users.id = user_id
       WHERE workspace_id = $1 AND role = 'owner'`,
      [workspaceId],
    );
    const isOwner = owners.some((owner) => owner.userId === userId);
    if (isOwner === mayActAs(role, 'owner')) return;
    const active = owners.filter((owner) => owner.active);
    const mayDecide = active.length === 0 || active.some((owner) => owner.userId === actor.userId);
    if (!mayDecide) throw DomainError.forbidden('Requires the owner role in the workspace.');
    if (isOwner && active.every((owner) => owner.userId === userId)) {
      throw DomainError.conflict('A workspace never loses its last owner; name another one first.');
    }
  }
}

async function load({ query }: Transaction, workspaceId: string, userId: string): Promise<Member> {
  const [member] = await query<Member>(
    `SELECT ${columns} FROM workspace_members membership
     JOIN users subject ON subject.id = membership.user_id AND subject.kind = 'person'
     WHERE membership.workspace_id = $1 AND membership.user_id = $2`,
    [workspaceId, userId],
  );
  if (member === undefined) throw DomainError.notFound('member');
  return member;
}
