import { Injectable } from '@nestjs/common';
import { Database, NIL_UUID } from '#database';

// A step takes about 20 ms, so it delays other transactions by no more than that.
const EXPIRED_PER_STEP = 500;
const DOCUMENTS_PER_STEP = 100;
// A version is at most 1 MiB large, unless the operator allows more. PostgreSQL stores 1 MiB in about 500 TOAST rows
// and deletes each of them, so a step also limits the number of bytes.
const VERSIONS_PER_STEP = 200;
const BYTES_PER_STEP = 16 * 1024 * 1024;

/**
 * Purges expired documents from the trash, and deletes the versions of documents that were deleted for good
 * (`documents_to_purge`). Each step is small and is followed by a step for the next workspace, so that a workspace with
 * 100,000 documents does not delay other workspaces. Several workers may run steps concurrently.
 */
@Injectable()
export class VersionPurge {
  private workspaceId = NIL_UUID;
  private isIdle = true;

  constructor(private readonly database: Database) {}

  /** @returns whether there may be more to do now. */
  async step(): Promise<boolean> {
    const [expired] = await this.database.query<{ count: number }>(TAKE_OUT_EXPIRED);
    if (expired?.count) this.isIdle = false;
    const [next] = await this.database.query<{ workspaceId: string }>(NEXT_WORKSPACE, [
      this.workspaceId,
    ]);
    if (next === undefined) {
      const mayHaveMore = !this.isIdle;
      this.workspaceId = NIL_UUID;
      this.isIdle = true;
      return mayHaveMore;
    }
    this.workspaceId = next.workspaceId;
    const [deleted] = await this.database.query<{ count: number }>(DELETE_VERSIONS, [
      this.workspaceId,
    ]);
    const [finished] = await this.database.query<{ count: number }>(FINISH_DOCUMENTS, [
      this.workspaceId,
    ]);
    if (deleted?.count || finished?.count) this.isIdle = false;
    return true;
  }
}

// The expression in the index on `trashed_documents`.
const EXPIRY = `expires_at AT TIME ZONE 'UTC'`;

// A trigger (`purge_unless_kept`) adds the documents to `documents_to_purge`. Documents that are being restored are
// skipped.
const TAKE_OUT_EXPIRED = `WITH expired AS (
    DELETE FROM trashed_documents WHERE id = ANY (ARRAY(
      SELECT id FROM trashed_documents WHERE (${EXPIRY}) <= now() AT TIME ZONE 'UTC'
      ORDER BY ${EXPIRY} LIMIT ${EXPIRED_PER_STEP} FOR UPDATE SKIP LOCKED
    )) RETURNING id
  )
  SELECT count(*)::integer FROM expired`;

const NEXT_WORKSPACE = `SELECT workspace_id AS "workspaceId" FROM documents_to_purge
  WHERE workspace_id > $1 ORDER BY workspace_id LIMIT 1`;

const firstDocuments = `SELECT id FROM documents_to_purge WHERE workspace_id = $1
    ORDER BY id LIMIT ${DOCUMENTS_PER_STEP}`;

const FIRST_VERSIONS = `(
    SELECT place, coalesce(sum(bytes) OVER (
      ORDER BY id, version ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS bytes_before
    FROM (
      SELECT document.id, version.* FROM document
      CROSS JOIN LATERAL (
        SELECT ctid AS place, version, content_bytes AS bytes
        FROM document_versions WHERE document_id = document.id ORDER BY version LIMIT ${VERSIONS_PER_STEP}
      ) version
      LIMIT ${VERSIONS_PER_STEP}
    ) version
  )`;

/**
 * Deletes versions and publications of the next documents (by id) of the workspace $1. The statement misses a version
 * whose ctid changes meanwhile. A later step deletes that version, because a document stays in `documents_to_purge`
 * until it has no versions left.
 */
const DELETE_VERSIONS = `WITH document AS MATERIALIZED (${firstDocuments} FOR UPDATE SKIP LOCKED),
    version AS (
      DELETE FROM document_versions WHERE ctid = ANY (ARRAY(
        SELECT place FROM ${FIRST_VERSIONS} version WHERE bytes_before < ${BYTES_PER_STEP}
      )) RETURNING 1
    ),
    publication AS (
      DELETE FROM template_publications WHERE ctid = ANY (ARRAY(
        SELECT publication.place FROM document CROSS JOIN LATERAL (
          SELECT ctid AS place FROM template_publications
          WHERE template_id = document.id LIMIT ${VERSIONS_PER_STEP}
        ) publication LIMIT ${VERSIONS_PER_STEP}
      )) RETURNING 1
    )
  SELECT (SELECT count(*) FROM version)::integer + (SELECT count(*) FROM publication)::integer AS count`;

const FINISH_DOCUMENTS = `WITH finished AS (
    DELETE FROM documents_to_purge WHERE workspace_id = $1 AND id = ANY (ARRAY(
      SELECT id FROM (${firstDocuments}) document
      WHERE 0 = (SELECT count(*) FROM (SELECT FROM document_versions WHERE document_id = document.id LIMIT 1) rest)
        AND 0 = (
          SELECT count(*) FROM (SELECT FROM template_publications WHERE template_id = document.id LIMIT 1) rest
        )
    )) RETURNING id
  )
  SELECT count(*)::integer FROM finished`;
