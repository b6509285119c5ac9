import { isDeepStrictEqual } from 'node:util';
import { isAsSeen, type Query, type Transaction } from '#database';
import { DomainError, entityTag, timesOf, type Precondition } from '#errors';
import type { EventPattern } from '#events';
import {
  audit,
  authorise,
  callerColumns,
  joinMember,
  type Actor,
  type AuditAction,
  type CallerRow,
} from '#identity';

export const endpointStatuses = ['active', 'failing', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** Where a subscriber wants to be told of which events. */
export interface Endpoint {
  id: string;
  workspaceId: string;
  url: string;
  events: EventPattern[];
  /** Only events of these resources; null for all. */
  resourceIds: string[] | null;
  description: string;
  /** The names of headers of its own. Their values are not shown. */
  headers: Record<string, string>;
  /** Attempts a second; null for as many as it bears. */
  rateLimit: number | null;
  /** The events of a resource one after the other; a later one waits for the retry of an earlier one. */
  ordered: boolean;
  /**
   * `failing`: several attempts in a row have failed, and it is tried less often. `disabled`: not
   * tried at all; its events are held, and sent when it is enabled again.
   */
  status: EndpointStatus;
  /** Why it has its status, in plain words; null when it has had no other. */
  statusReason: string | null;
  statusSince: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** As PostgreSQL gives it. */
export type EndpointRow = Omit<Endpoint, 'headers'> & { encryptedHeaders: string | null };

export const endpointColumns = `endpoint.id, endpoint.workspace_id AS "workspaceId", endpoint.url,
  endpoint.events, endpoint.resource_ids AS "resourceIds", endpoint.description,
  endpoint.encrypted_headers AS "encryptedHeaders", endpoint.rate_limit AS "rateLimit", endpoint.ordered,
  endpoint.status, endpoint.status_reason AS "statusReason", endpoint.status_since AS "statusSince",
  endpoint.created_at AS "createdAt", endpoint.updated_at AS "updatedAt"`;

/** The caller, the endpoint $2 unless its workspace is gone, and the caller's membership. */
export const fromEndpoint = `FROM users caller
  LEFT JOIN webhook_endpoints endpoint
    ON endpoint.id = $2 AND endpoint.workspace_deleted_at IS NULL
  ${joinMember('endpoint.workspace_id')}`;

/** Of the endpoint $2, as the caller $1 sees it. */
export const selectEndpoint = (columns: string): string =>
  `SELECT ${callerColumns('endpoint.id')}, ${columns} ${fromEndpoint} WHERE caller.id = $1`;

const loadEndpoint = selectEndpoint(endpointColumns);

export async function readEndpoint(query: Query, actor: Actor, id: string): Promise<EndpointRow> {
  const [row] = await query<CallerRow & EndpointRow>(loadEndpoint, [actor.userId, id]);
  return authorise(row, 'admin', 'webhook');
}

const LOCK = `SELECT FROM webhook_endpoints WHERE id = $1 AND ${isAsSeen('$2')} FOR UPDATE`;

/**
 * Loads an endpoint that is about to change. The lock is a statement of its own, sent together with
 * the next, because that one must see what was committed while the lock was waited for.
 */
export async function lockEndpoint(
  query: Query,
  actor: Actor,
  id: string,
  state?: Precondition,
): Promise<EndpointRow> {
  const [locked, endpoint] = await Promise.all([
    query(LOCK, [id, timesOf(state)]),
    readEndpoint(query, actor, id),
  ]);
  if (locked.length === 0) throw DomainError.stale(entityTag(endpoint));
  return endpoint;
}

export const auditEndpoint = (
  transaction: Transaction,
  actor: Actor,
  { id, workspaceId }: { id: string; workspaceId: string },
  action: AuditAction,
  details?: Record<string, unknown>,
): void => audit(transaction, { by: actor, workspaceId, action, targetId: id, details });

/** What an audit entry says of a change. Of headers, which may be credentials, only that they changed. */
export function changesOf(before: EndpointRow, after: EndpointRow): Record<string, unknown> {
  const fields = ['url', 'events', 'resourceIds', 'description', 'rateLimit', 'ordered'] as const;
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return {
    ...Object.fromEntries(
      changed.map((field) => [field, { from: before[field], to: after[field] }]),
    ),
    ...(before.encryptedHeaders !== after.encryptedHeaders && { headers: 'changed' }),
  };
}
