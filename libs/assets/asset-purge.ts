import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import { AssetStorage } from './files/asset-storage.js';
import { variantKeys } from './files/variant-keys.js';

// A step takes some 20 ms of the database, so it delays other transactions by no more than that.
const ASSETS_PER_STEP = 200;
const CONTENTS_PER_STEP = 20;
const FILES_PER_STEP = 20;

/**
 * Deletes pictures for good: assets that have been in the trash for long enough, then contents that no asset and no
 * document needs, then their files. Several workers may run steps concurrently.
 */
@Injectable()
export class AssetPurge {
  constructor(
    private readonly database: Database,
    private readonly storage: AssetStorage,
  ) {}

  /** @returns whether there may be more to do now. */
  async step(): Promise<boolean> {
    if (!this.storage.isConfigured) return false;
    const counts = [
      await this.count(TAKE_OUT_EXPIRED),
      await this.count(PURGE_CONTENTS),
      await this.deleteFiles(),
    ];
    return counts.some((count) => count > 0);
  }

  private async count(statement: string): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(statement);
    return row?.count ?? 0;
  }

  /** Deletes a file before its row, because a crash between the two must leave the row. */
  private async deleteFiles(): Promise<number> {
    const files = await this.database.query<{ storageKey: string }>(SELECT_FILES);
    for (const { storageKey } of files) {
      for (const key of [storageKey, ...variantKeys(storageKey)]) {
        await this.storage.require().delete(key);
      }
      await this.database.query(FORGET_FILE, [storageKey]);
    }
    return files.length;
  }
}

const TAKE_OUT_EXPIRED = `WITH expired AS (
    DELETE FROM assets WHERE id = ANY (ARRAY(
      SELECT id FROM assets WHERE expires_at <= now()
      ORDER BY expires_at LIMIT ${ASSETS_PER_STEP} FOR UPDATE SKIP LOCKED
    )) RETURNING hash
  ), released AS (
    UPDATE asset_contents SET purge_after = now() WHERE hash = ANY (ARRAY(SELECT hash FROM expired))
  )
  SELECT count(*)::integer FROM expired`;

/**
 * Whether a document of the workspace needs the content: the latest, a published or a scheduled version of a template,
 * any version of a module, because templates may be published with earlier versions of modules, or any version of a
 * document in the trash, because the document may be restored.
 */
const IS_NEEDED = `0 < (SELECT count(*) FROM (
    SELECT FROM asset_references reference
    JOIN documents document ON document.id = reference.document_id
    WHERE reference.hash = content.hash AND document.workspace_id = content.workspace_id
      AND (document.kind = 'module' OR document.version = reference.version
        OR EXISTS (SELECT FROM template_pointers
          WHERE template_id = document.id AND version = reference.version)
        OR EXISTS (SELECT FROM scheduled_publications
          WHERE template_id = document.id AND version = reference.version))
    LIMIT 1
  ) needed) OR 0 < (SELECT count(*) FROM (
    SELECT FROM asset_references reference
    JOIN trashed_documents trashed ON trashed.id = reference.document_id
    WHERE reference.hash = content.hash AND trashed.workspace_id = content.workspace_id
    LIMIT 1
  ) needed_in_trash)`;

/**
 * Takes contents that are due. Those that are still needed are looked at again a day later. The others are deleted, and
 * their files are put on the list of files to delete.
 * Locks: the rows of the contents. An upload of the same picture waits, and then stores a content of its own.
 */
const PURGE_CONTENTS = `WITH due AS MATERIALIZED (
    SELECT hash, storage_key,
      0 < (SELECT count(*) FROM assets WHERE hash = content.hash) OR ${IS_NEEDED} AS is_needed
    FROM (
      SELECT * FROM asset_contents WHERE purge_after <= now()
      ORDER BY purge_after LIMIT ${CONTENTS_PER_STEP} FOR UPDATE SKIP LOCKED
    ) content
  ), kept AS (
    UPDATE asset_contents SET purge_after = now() + interval '1 day'
    WHERE hash = ANY (ARRAY(SELECT hash FROM due WHERE is_needed))
  ), purged AS (
    DELETE FROM asset_contents WHERE hash = ANY (ARRAY(SELECT hash FROM due WHERE NOT is_needed))
  ), listed AS (
    INSERT INTO asset_files_to_delete (storage_key, delete_after)
    SELECT storage_key, now() FROM due WHERE NOT is_needed
  )
  SELECT count(*)::integer FROM due`;

const SELECT_FILES = `SELECT storage_key AS "storageKey" FROM asset_files_to_delete
  WHERE delete_after <= now() ORDER BY delete_after LIMIT ${FILES_PER_STEP}`;

const FORGET_FILE = 'DELETE FROM asset_files_to_delete WHERE storage_key = $1';
