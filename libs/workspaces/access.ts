import type { IdempotencyKey } from '#database';
import { DomainError } from '#errors';
import { isRoleAtLeast, type Role } from './roles.js';

/** The caller of a request. Every statement checks again whether the user is active and which role the user has. */
export interface Actor {
  readonly userId: string;
  /** The IP address that the request came from; null if it is unknown. */
  readonly ipAddress: string | null;
  /** The idempotency key of the request. The unit of work stores the response under this key. */
  readonly idempotencyKey?: IdempotencyKey | undefined;
  /** Whether reads must see the latest state, including the changes of other users. */
  readonly needsLatest?: boolean;
}

/** The part of a row that describes the caller. Statements select it together with the resource that they load. */
export interface CallerRow {
  isCallerActive: boolean;
  callerRole: Role | null;
  /** The id of the requested resource; null if the resource does not exist. */
  foundId: string | null;
}

/**
 * The SELECT list of a `CallerRow`. The statement must contain `joinMember`.
 * @param role an SQL expression for the caller's role.
 */
export const callerColumns = (id: string, role = 'member.role'): string =>
  `caller.status = 'active' AS "isCallerActive", ${role} AS "callerRole", ${id} AS "foundId"`;

/** Joins the caller's membership of a workspace. The FROM clause must begin with `users caller`. */
export const joinMember = (workspaceId: string): string =>
  `LEFT JOIN workspace_members member
     ON member.workspace_id = ${workspaceId} AND member.user_id = caller.id`;

/** The FROM clause of every statement about a workspace: the caller, the workspace, and the caller's membership. */
export const fromCallerInWorkspace = (workspaceId: string): string =>
  `FROM users caller
   LEFT JOIN workspaces workspace ON workspace.id = ${workspaceId}
   ${joinMember('workspace.id')}`;

/**
 * Checks access with a row that contains both a resource and the caller's role. The check needs no additional round
 * trip, and a removed member loses access immediately.
 *
 * @throws DomainError `unauthorized` if the user is no longer active, `not_found` if the resource does not exist,
 * `forbidden` if the caller's role is too low.
 */
export function authorise<Row extends CallerRow>(
  row: Row | undefined,
  requiredRole: Role,
  resourceName: string,
): Omit<Row, keyof CallerRow> {
  if (!row?.isCallerActive) throw DomainError.inactive();
  if (row.foundId === null) throw DomainError.notFound(resourceName);
  if (!isRoleAtLeast(row.callerRole, requiredRole)) {
    throw DomainError.forbidden(`Requires the ${requiredRole} role in the workspace.`);
  }
  const { isCallerActive, callerRole, foundId, ...resource } = row;
  return resource;
}

/**
 * Checks access to the rows of a list in a workspace, like `authorise`. If the list is empty, the statement returns a
 * single row, which has the caller's data and a null `id`.
 */
export function authoriseList<Row extends CallerRow & { id: string | null }>(
  rows: Row[],
  requiredRole: Role,
  resourceName: string,
): (Omit<Row, keyof CallerRow> & { id: string })[] {
  const resources = rows.map((row) => authorise(row, requiredRole, resourceName));
  return resources.filter((row): row is typeof row & { id: string } => row.id !== null);
}
