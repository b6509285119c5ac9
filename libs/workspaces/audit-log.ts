import { Injectable } from '@nestjs/common';
import { Keysets, NIL_UUID, Reads, type Page, type PageRequest, type Transaction } from '#database';
import { v7 as uuidv7 } from 'uuid';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from './access.js';
import { rolesAtLeast } from './roles.js';

export const auditActions = [
  ...(['workspace.created', 'workspace.renamed', 'workspace.closed', 'workspace.deleted'] as const),
  'workspace.checks_changed',
  ...(['member.added', 'member.invited', 'member.joined'] as const),
  ...(['member.role_changed', 'member.removed', 'member.left', 'member.erased'] as const),
  ...(['key.created', 'key.revoked'] as const),
  ...(['environment.created', 'environment.deleted'] as const),
  ...(['webhook.created', 'webhook.updated', 'webhook.enabled', 'webhook.disabled'] as const),
  ...(['webhook.deleted', 'secret.revealed', 'secret.rotated'] as const),
  'document.purged',
  'template.test_sent',
] as const;
export type AuditAction = (typeof auditActions)[number];

export interface AuditEntry {
  id: string;
  occurredAt: Date;
  action: AuditAction;
  /**
   * Null if the identity provider or the operator made the change. The operator's entries are those with the action
   * `member.erased`, and those with `by: operator` in `details`. For a deleted user, only the id is left.
   */
  actor: { userId: string; kind: 'person' | 'key'; email: string; name: string } | null;
  /** The IP address that the change came from. */
  address: string | null;
  /**
   * The user id of the member, or the id of the key, webhook, template, document or workspace. An environment has no
   * id, so its entries have the id of the workspace.
   */
  targetId: string;
  details: Record<string, unknown>;
}

/** A change to record. `actor.userId` is null if the identity provider or the operator made the change. */
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

export interface AuditFilter {
  action?: AuditAction;
  /** The user who made the change. */
  actorId?: string;
  targetId?: string;
  /** Only entries from this time or later. */
  since?: Date;
  /** Only entries from before this time. */
  until?: Date;
}

// No index supports the filters, because each index would slow down every write to the audit log. A page therefore
// scans at most this many entries, which takes a few milliseconds, and then ends with a cursor.
const MAX_SCANNED = 5_000;

type ScannedEntry = AuditEntry & { matches: boolean; isScanEnd: boolean };

@Injectable()
export class AuditLog {
  constructor(
    private readonly reads: Reads,
    private readonly keysets: Keysets,
  ) {}

  /**
   * Lists entries, newest first. With a filter, a page may contain fewer entries than `limit`, or none at all, and
   * still have a next cursor.
   */
  async list(
    actor: Actor,
    workspaceId: string,
    { limit, cursor, ...filter }: PageRequest & AuditFilter,
  ): Promise<Page<AuditEntry>> {
    const { action, actorId, targetId, since, until } = filter;
    const keyset = this.keysets.forList(
      ['audit', workspaceId, action, actorId, targetId, since, until],
      until === undefined ? undefined : [until, NIL_UUID],
    );
    const scanned = await this.reads.run(actor, async ({ query }) => {
      const rows = await query<CallerRow & ScannedEntry>(
        `SELECT ${callerColumns('workspace.id')}, page.* ${fromCallerInWorkspace('$2')}
       LEFT JOIN LATERAL (
         SELECT entry.id, occurred_at AS "occurredAt", action, host(address) AS address,
           target_id AS "targetId", details, matches, "isScanEnd",
           CASE WHEN actor_id IS NOT NULL THEN json_build_object(
             'userId', actor.id, 'kind', actor.kind, 'email', actor.email,
             'name', trim(actor.first_name || ' ' || actor.last_name)
           ) END AS actor
         FROM (
           SELECT *, rank = ${MAX_SCANNED} AS "isScanEnd" FROM (
             SELECT *, row_number() OVER (ORDER BY occurred_at DESC, id DESC) AS rank,
               ($6::text IS NULL OR action = $6) AND ($7::uuid IS NULL OR actor_id = $7)
                 AND ($8::uuid IS NULL OR target_id = $8) AS matches
             FROM audit_entries
             WHERE workspace_id = member.workspace_id AND (occurred_at, id) < ($3, $4)
               AND occurred_at >= coalesce($9, '-infinity'::timestamptz)
               AND member.role IN (${rolesAtLeast('admin')})
             ORDER BY occurred_at DESC, id DESC LIMIT ${MAX_SCANNED}
           ) scanned
           WHERE matches OR rank = ${MAX_SCANNED}
           ORDER BY occurred_at DESC, id DESC LIMIT $5
         ) entry
         LEFT JOIN users actor ON actor.id = entry.actor_id
       ) page ON true
       WHERE caller.id = $1 ORDER BY page."occurredAt" DESC, page.id DESC`,
        [
          actor.userId,
          workspaceId,
          ...keyset.after(cursor),
          limit + 1,
          action,
          actorId,
          targetId,
          since,
        ],
      );
      return authoriseList(rows, 'admin', 'workspace');
    });
    const positionOf = ({ occurredAt, id }: AuditEntry) => [occurredAt, id];
    const matching = scanned.filter(({ matches }) => matches);
    const page = keyset.page(matching.map(toEntry), limit, positionOf);
    const last = scanned.at(-1);
    if (page.nextCursor !== null || !last?.isScanEnd) return page;
    return { ...page, nextCursor: keyset.cursorAt(positionOf(last)) };
  }
}

const toEntry = ({ matches, isScanEnd, ...entry }: ScannedEntry): AuditEntry => entry;
