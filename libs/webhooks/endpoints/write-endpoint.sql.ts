import { nextUpdatedAt } from '#database';
import { callerColumns, fromCallerInWorkspace, rolesAtLeast } from '#workspaces';
import { createTraffic } from '../traffic/endpoint-traffic.js';
import { ENDPOINT_COLUMNS } from './endpoint.js';

/** Locks the workspace $1 if the user $2 is an admin. Other callers neither take the lock nor wait for it. */
export const LOCK_WORKSPACE_AS_ADMIN = `SELECT FROM workspaces WHERE id = $1 AND EXISTS (
    SELECT FROM workspace_members member JOIN users caller ON caller.id = member.user_id
    WHERE member.workspace_id = $1 AND member.user_id = $2 AND caller.status = 'active'
      AND member.role IN (${rolesAtLeast('admin')})
  ) FOR NO KEY UPDATE`;

/**
 * Inserts an endpoint with the id $3, and its row in `webhook_traffic`, into the workspace $2. Inserts nothing if the
 * caller $1 is not an admin, or if the workspace already has $12 endpoints. Returns the caller with the columns of the
 * new endpoint, or with nulls.
 */
export const INSERT_ENDPOINT = `WITH caller AS (
    SELECT ${callerColumns('workspace.id')} ${fromCallerInWorkspace('$2')} WHERE caller.id = $1
  ), endpoint AS (
    INSERT INTO webhook_endpoints (id, workspace_id, url, events, resource_ids, description,
      encrypted_headers, rate_limit, ordered, encrypted_secret)
    SELECT $3, "foundId", $4, $5, $6, $7, $8, $9, $10, $11 FROM caller
    WHERE "isCallerActive" AND "callerRole" IN (${rolesAtLeast('admin')}) AND $12 > (
      SELECT count(*) FROM (
        SELECT FROM webhook_endpoints WHERE workspace_id = "foundId" LIMIT $12
      ) existing
    )
    RETURNING *
  ), traffic AS (
    ${createTraffic('SELECT id FROM endpoint')}
  )
  SELECT "isCallerActive", "callerRole", "foundId", ${ENDPOINT_COLUMNS}
  FROM caller LEFT JOIN endpoint ON true`;

/** Updates the settings of the endpoint $1. Returns no row if nothing has changed. */
export const UPDATE_ENDPOINT = `UPDATE webhook_endpoints AS endpoint
  SET url = $2, events = $3, resource_ids = $4, description = $5, encrypted_headers = $6,
    rate_limit = $7, ordered = $8, updated_at = ${nextUpdatedAt}
  WHERE id = $1
    AND (url, events, resource_ids, description, encrypted_headers, rate_limit, ordered)
      IS DISTINCT FROM ($2, $3, $4, $5, $6, $7, $8)
  RETURNING ${ENDPOINT_COLUMNS}`;
