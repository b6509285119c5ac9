import { nextUpdatedAt } from '#database';
import { callerColumns, fromCallerInWorkspace, rolesAtLeast } from '#workspaces';
import { ASSET_COLUMNS, isIn } from './asset.js';

/** Two uploads at the same time must not exceed the limits of a workspace together. */
export const LOCK_WORKSPACE = 'SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE';

/** The contents that the workspace of a statement keeps, including those of its trash. */
const STORED = `SELECT count(*)::integer AS files, coalesce(sum(bytes), 0)::float8 AS bytes FROM asset_contents`;

/** Returns how much the workspace $2 stores, with the role of the caller $1. */
export const SELECT_USAGE = `SELECT ${callerColumns('workspace.id')}, stored.*
  ${fromCallerInWorkspace('$2')}
  LEFT JOIN LATERAL (${STORED} WHERE workspace_id = member.workspace_id) stored ON true
  WHERE caller.id = $1`;

/**
 * Inserts the content $3 (a hash) with its storage key $4, file name $5, type $6, width $7, height $8 and size $9 into
 * the workspace $2. If the workspace has the content, keeps it, and takes it out of the purge. Inserts nothing if the
 * caller $1 is no editor, or if the workspace would have more than $10 files or more than $11 bytes.
 * Locks: the row of the content. The caller has locked the workspace.
 * Returns: the caller, and the storage key of the content, which is another one than $4 if the workspace had the
 * content, or null if nothing was inserted.
 */
export const STORE_CONTENT = `WITH caller AS (
    SELECT ${callerColumns('workspace.id')} ${fromCallerInWorkspace('$2')} WHERE caller.id = $1
  ), stored AS (
    ${STORED} WHERE workspace_id = $2 AND hash <> $3
  ), content AS (
    INSERT INTO asset_contents (hash, workspace_id, storage_key, file_name, type, width, height, bytes)
    SELECT $3, "foundId", $4, $5, $6, $7::integer, $8::integer, $9::integer FROM caller, stored
    WHERE "isCallerActive" AND "callerRole" IN (${rolesAtLeast('editor')})
      AND files < $10::integer AND stored.bytes + $9::integer <= $11::float8
    ON CONFLICT (hash) DO UPDATE SET purge_after = NULL
    RETURNING storage_key
  ), kept AS (
    DELETE FROM asset_files_to_delete WHERE storage_key = (SELECT storage_key FROM content)
  )
  SELECT "isCallerActive", "callerRole", "foundId", (SELECT storage_key FROM content) AS "storageKey" FROM caller`;

/**
 * Inserts the asset $2 with the content $3, the name $4 and the tags $5 for the user $1. If an asset has the content,
 * returns that asset, after taking it out of the trash if it is there.
 */
export const UPSERT_ASSET = `WITH content AS (
    SELECT * FROM asset_contents WHERE hash = $3
  ), asset AS (
    INSERT INTO assets AS asset (id, workspace_id, hash, name, tags, created_by, created_at, updated_by, updated_at)
    SELECT $2, workspace_id, hash, $4, $5, $1, at, $1, at FROM content, (SELECT clock_timestamp() AS at) clock
    ON CONFLICT (hash) DO UPDATE SET deleted_at = NULL, expires_at = NULL,
      updated_at = CASE WHEN ${isIn('library')} THEN asset.updated_at ELSE greatest(clock_timestamp(), asset.updated_at + interval '1 millisecond') END,
      updated_by = CASE WHEN ${isIn('library')} THEN asset.updated_by ELSE $1 END
    RETURNING *
  )
  SELECT ${ASSET_COLUMNS} FROM asset, content`;

/** SQL that changes the asset $1 and returns it. `updated_by` is $2. */
const updateAsset = (changes: string): string => `WITH asset AS (
    UPDATE assets SET ${changes}, updated_by = $2, updated_at = ${nextUpdatedAt} WHERE id = $1 RETURNING *
  )
  SELECT ${ASSET_COLUMNS} FROM asset JOIN asset_contents content ON content.hash = asset.hash`;

export const RENAME_ASSET = updateAsset('name = $3, tags = $4');
export const REPLACE_CONTENT = updateAsset('hash = $3');
export const RESTORE_ASSET = updateAsset('deleted_at = NULL, expires_at = NULL');
/** $3 is the number of days for which the asset can be restored. */
export const TRASH_ASSET = updateAsset(
  `deleted_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(days => $3)`,
);

/** Lets the worker purge the content $1 after $2 days, unless a document still refers to it. */
export const RELEASE_CONTENT = `UPDATE asset_contents SET purge_after = now() + make_interval(days => $2)
  WHERE hash = $1`;

/** Deletes the assets of the workspace $1 for good, and lets the worker purge their contents. */
export const DELETE_ALL = `WITH assets AS (DELETE FROM assets WHERE workspace_id = $1)
  UPDATE asset_contents SET purge_after = now() WHERE workspace_id = $1`;

/** Deletes the trash of the workspace $1 for good, and lets the worker purge the contents. */
export const DELETE_TRASH = `WITH deleted AS (
    DELETE FROM assets WHERE workspace_id = $1 AND ${isIn('trash', 'assets')} RETURNING hash
  )
  UPDATE asset_contents SET purge_after = now() WHERE hash IN (SELECT hash FROM deleted)`;
