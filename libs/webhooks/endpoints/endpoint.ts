import { isDeepStrictEqual } from 'node:util';
import { matchesPrecondition, type Query, type Transaction } from '#database';
import { DomainError, entityTag, parsePrecondition, type Precondition } from '#errors';
import type { EventPattern } from '#events';
import {
  audit,
  authorise,
  callerColumns,
  joinMember,
  type Actor,
  type AuditAction,
  type CallerRow,
  type NewAuditEntry,
} from '#workspaces';
import type { EndpointStatus } from '../delivery/endpoint-status.js';

/** An endpoint is the URL of a subscriber, with its filters and settings. The API calls it a webhook. */
export interface Endpoint {
  id: string;
  workspaceId: string;
  url: string;
  events: EventPattern[];
  /** The resources whose events the endpoint receives; null for all resources. */
  resourceIds: string[] | null;
  description: string;
  /** The custom headers. Their values are redacted, because they may be credentials. */
  headers: Record<string, string>;
  /** Maximum number of attempts per second; null for no limit. */
  rateLimit: number | null;
  /**
   * Whether the events of a resource are sent one after another. If so, a later event waits for the retries of an
   * earlier event.
   */
  ordered: boolean;
  status: EndpointStatus;
  /** Why the endpoint has its status, in plain words; null if the status has never changed. */
  statusReason: string | null;
  statusSince: Date;
  createdAt: Date;
  updatedAt: Date;
}

export type EndpointRow = Omit<Endpoint, 'headers'> & { encryptedHeaders: string | null };

export const ENDPOINT_COLUMNS = `endpoint.id, endpoint.workspace_id AS "workspaceId", endpoint.url,
  endpoint.events, endpoint.resource_ids AS "resourceIds", endpoint.description,
  endpoint.encrypted_headers AS "encryptedHeaders", endpoint.rate_limit AS "rateLimit", endpoint.ordered,
  endpoint.status, endpoint.status_reason AS "statusReason", endpoint.status_since AS "statusSince",
  endpoint.created_at AS "createdAt", endpoint.updated_at AS "updatedAt"`;

/**
 * A FROM clause with `caller`, `endpoint` and `member`. `endpoint` is the endpoint $2; its columns are null if its
 * workspace is deleted. `member` is the caller's membership of that workspace.
 */
export const FROM_ENDPOINT = `FROM users caller
  LEFT JOIN webhook_endpoints endpoint
    ON endpoint.id = $2 AND endpoint.workspace_deleted_at IS NULL
  ${joinMember('endpoint.workspace_id')}`;

/** Selects columns of the endpoint $2 for the caller $1. */
export const selectEndpoint = (columns: string): string =>
  `SELECT ${callerColumns('endpoint.id')}, ${columns} ${FROM_ENDPOINT} WHERE caller.id = $1`;

const READ_ENDPOINT = selectEndpoint(ENDPOINT_COLUMNS);

export async function readEndpoint(query: Query, actor: Actor, id: string): Promise<EndpointRow> {
  const [row] = await query<CallerRow & EndpointRow>(READ_ENDPOINT, [actor.userId, id]);
  return authorise(row, 'admin', 'webhook');
}

const LOCK_ENDPOINT = `SELECT FROM webhook_endpoints WHERE id = $1 AND ${matchesPrecondition('$2')} FOR UPDATE`;

/**
 * Locks and loads an endpoint for a change. A separate statement takes the lock, so that the load sees changes that
 * were committed during the wait for the lock. Both statements are sent together.
 */
export async function lockEndpoint(
  query: Query,
  actor: Actor,
  id: string,
  precondition?: Precondition,
): Promise<EndpointRow> {
  const [lockedRows, endpoint] = await Promise.all([
    query(LOCK_ENDPOINT, [id, parsePrecondition(precondition)]),
    readEndpoint(query, actor, id),
  ]);
  if (lockedRows.length === 0) throw DomainError.stale(entityTag(endpoint));
  return endpoint;
}

export const auditEndpoint = (
  transaction: Transaction,
  actor: NewAuditEntry['actor'],
  { id, workspaceId }: { id: string; workspaceId: string },
  action: AuditAction,
  details?: Record<string, unknown>,
): void => audit(transaction, { actor, workspaceId, action, targetId: id, details });

/**
 * Returns the changed fields for the audit log. Custom headers may be credentials, so the entry says only that they
 * changed.
 */
export function diffEndpoints(before: EndpointRow, after: EndpointRow): Record<string, unknown> {
  const fields = ['url', 'events', 'resourceIds', 'description', 'rateLimit', 'ordered'] as const;
  const changedFields = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return {
    ...Object.fromEntries(
      changedFields.map((field) => [field, { from: before[field], to: after[field] }]),
    ),
    ...(before.encryptedHeaders !== after.encryptedHeaders && { headers: 'changed' }),
  };
}
