import { Injectable } from '@nestjs/common';
import { Database, Keysets, type Page, type PageRequest, type Transaction } from '#database';
import { v7 as uuidv7 } from 'uuid';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from './access.js';

export const auditActions = [
  ...(['workspace.created', 'workspace.renamed', 'workspace.closed', 'workspace.deleted'] as const),
  ...(['member.added', 'member.invited', 'member.joined'] as const),
  ...(['member.role_changed', 'member.removed', 'member.left'] as const),
  ...(['key.created', 'key.revoked'] as const),
  ...(['webhook.created', 'webhook.updated', 'webhook.enabled', 'webhook.disabled'] as const),
  ...(['webhook.deleted', 'secret.revealed', 'secret.rotated'] as const),
] as const;
export type AuditAction = (typeof auditActions)[number];

/** One change of access, or of where events are sent. */
export interface AuditEntry {
  id: string;
  occurredAt: Date;
  action: AuditAction;
  /** Null for the identity provider. For a deleted user, only the id is left. */
  actor: { userId: string; kind: 'person' | 'key'; email: string; name: string } | null;
  /** The IP address that the change came from. */
  address: string | null;
  /** The user id of the member, or the id of the key, webhook, or workspace. */
  targetId: string;
  details: Record<string, unknown>;
}

/** A change to record. `actor` is null for the identity provider. */
export interface NewAuditEntry {
  actor: Omit<Actor, 'userId'> & { userId: string | null };
  workspaceId: string;
  action: AuditAction;
  targetId: string;
  details?: Record<string, unknown>;
}

/** Adds an entry if, and only if, the transaction commits. */
export function audit({ beforeCommit }: Transaction, entry: NewAuditEntry): void {
  const { actor, workspaceId, action, targetId, details = {} } = entry;
  beforeCommit(
    `INSERT INTO audit_entries (id, workspace_id, action, actor_id, address, target_id, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      uuidv7(),
      workspaceId,
      action,
      actor.userId,
      actor.ipAddress,
      targetId,
      JSON.stringify(details),
    ],
  );
}

@Injectable()
export class AuditLog {
  constructor(
    private readonly database: Database,
    private readonly keysets: Keysets,
  ) {}

  /** Newest first. */
  async list(
    actor: Actor,
    workspaceId: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<AuditEntry>> {
    const keyset = this.keysets.forList(['audit', workspaceId]);
    const rows = await this.database.query<CallerRow & AuditEntry>(
      `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerInWorkspace('$2')}
       LEFT JOIN LATERAL (
         SELECT entry.id, occurred_at AS "occurredAt", action, host(address) AS address,
           target_id AS "targetId", details,
           CASE WHEN actor_id IS NOT NULL THEN json_build_object(
             'userId', actor.id, 'kind', actor.kind, 'email', actor.email,
             'name', trim(actor.first_name || ' ' || actor.last_name)
           ) END AS actor
         FROM audit_entries entry LEFT JOIN users actor ON actor.id = entry.actor_id
         WHERE entry.workspace_id = member.workspace_id AND (occurred_at, entry.id) < ($3, $4)
         ORDER BY occurred_at DESC, entry.id DESC LIMIT $5
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."occurredAt" DESC, page.id DESC`,
      [actor.userId, workspaceId, ...keyset.after(cursor), limit + 1],
    );
    const entries = authoriseList(rows, 'admin', 'workspace');
    return keyset.page(entries, limit, ({ occurredAt, id }) => [occurredAt, id]);
  }
}
