import type { Query } from '#database';
import { isOfKind } from '#documents';
import { createEvent, type DomainEvent } from '#events';
import { publicationColumns, type Publication } from './publication.js';

export interface Move {
  /** The id of the publication. */
  id: string;
  templateId: string;
  environment: string;
  /** Null to unpublish. */
  version: number | null;
  note: string;
  userId: string;
  /** The time at which a user scheduled the publication; null if nobody scheduled it. */
  createdAt: Date | null;
}

interface Moved {
  publication: Publication;
  event: DomainEvent;
}

/**
 * Publishes the version $3 of the template $1 in the environment $2. If $3 is NULL, unpublishes the template there.
 *
 * Requires: the caller has locked the template, so that publications of one template never overlap.
 * Writes: increments the event count in `documents`; adds a row to the history; inserts, updates or deletes the
 * pointer.
 * Returns: the publication and the data of its event, or no row if the move would change nothing.
 *
 * - pointer: the pointer before the move.
 * - template: increments the event count, unless the move would change nothing.
 * - publication: the new row of the history. Its time is later than that of the previous publication, because the ETag
 *   is derived from the time and must change.
 * - moved: inserts or updates the pointer.
 * - removed: deletes the pointer.
 */
const MOVE_POINTER = `WITH pointer AS (
    SELECT version FROM template_pointers WHERE template_id = $1 AND environment = $2
  ), template AS (
    UPDATE documents SET events = events + 1
    WHERE id = $1 AND (SELECT version FROM pointer) IS DISTINCT FROM $3::integer
    RETURNING id, workspace_id, external_id, events AS sequence
  ), publication AS (
    INSERT INTO template_publications (template_id, number, id, environment, version, note, created_by, at,
      created_at)
    SELECT template.id, sequence, $6, $2, $3, $4, $5, moment.at, coalesce($7, moment.at)
    FROM template CROSS JOIN LATERAL (
      SELECT greatest(date_trunc('milliseconds', clock_timestamp()), (
        SELECT at + interval '1 millisecond' FROM template_publications
        WHERE template_id = template.id ORDER BY number DESC LIMIT 1
      )) AS at
    ) moment
    RETURNING *
  ), moved AS (
    INSERT INTO template_pointers (template_id, environment, workspace_id, version, number, published_at)
    SELECT id, $2, workspace_id, $3, sequence, (SELECT at FROM publication) FROM template
    WHERE $3 IS NOT NULL
    ON CONFLICT (template_id, environment) DO UPDATE SET version = EXCLUDED.version,
      number = EXCLUDED.number, published_at = EXCLUDED.published_at
  ), removed AS (
    DELETE FROM template_pointers
    WHERE template_id = (SELECT id FROM template) AND environment = $2 AND $3 IS NULL
  )
  SELECT ${publicationColumns('publication')}, sequence, workspace_id AS "workspaceId",
    external_id AS "externalId", named.name, named.version AS "eventVersion"
  FROM template CROSS JOIN publication
  CROSS JOIN LATERAL (
    SELECT name, version FROM document_versions
    WHERE document_id = template.id AND version = coalesce($3, (SELECT version FROM pointer)) LIMIT 1
  ) named`;

type MovedRow = Publication & {
  sequence: number;
  workspaceId: string;
  externalId: string | null;
  name: string;
  eventVersion: number;
};

/** Runs `MOVE_POINTER`. Returns undefined if there is nothing to change. */
export async function movePointer(query: Query, move: Move): Promise<Moved | undefined> {
  const { id, templateId, environment, version, note, userId, createdAt } = move;
  const [row] = await query<MovedRow>(MOVE_POINTER, [
    templateId,
    environment,
    version,
    note,
    userId,
    id,
    createdAt,
  ]);
  if (row === undefined) return undefined;
  const { sequence, workspaceId, externalId, name, eventVersion, ...publication } = row;
  const kind = version === null ? 'template.unpublished' : 'template.published';
  const place = { workspaceId, externalId };
  const data = { id: templateId, name, ...place, version: eventVersion, environment };
  return { publication, event: createEvent(kind, sequence, data) };
}

/**
 * Deletes all pointers and scheduled publications of the environment $2 in the workspace $1, and stores the events. The
 * statement updates event counts and history like `MOVE_POINTER`, on behalf of the user $3. The caller has locked the
 * environment and the templates. $4 is the `traceparent` of the events. The ids of the publications end with $5, like
 * all ids in the workspace.
 */
export const UNPUBLISH_ALL = `WITH pointer AS (
    DELETE FROM template_pointers WHERE workspace_id = $1 AND environment = $2
    RETURNING template_id, version
  ), scheduled AS (
    DELETE FROM scheduled_publications WHERE workspace_id = $1 AND environment = $2
  ), template AS (
    UPDATE documents document SET events = events + 1
    FROM pointer CROSS JOIN LATERAL (
      SELECT ctid AS place FROM documents WHERE id = pointer.template_id LIMIT 1
    ) located
    WHERE document.ctid = located.place
    RETURNING document.id, workspace_id, external_id, events AS sequence, pointer.version
  ), publication AS (
    INSERT INTO template_publications (template_id, number, id, environment, version, note, created_by, at,
      created_at)
    SELECT template.id, sequence, (left(uuidv7_at(clock_timestamp())::text, -length($5)) || $5)::uuid, $2, NULL, '', $3, moment.at, moment.at
    FROM template CROSS JOIN LATERAL (
      SELECT greatest(date_trunc('milliseconds', clock_timestamp()), (
        SELECT at + interval '1 millisecond' FROM template_publications
        WHERE template_id = template.id ORDER BY number DESC LIMIT 1
      )) AS at
    ) moment
  )
  INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data, traceparent)
  SELECT uuidv7_at(clock_timestamp()), 'template.unpublished', workspace_id, template.id, sequence,
    json_build_object('id', template.id, 'name', named.name, 'workspaceId', workspace_id,
      'externalId', external_id, 'version', template.version, 'environment', $2::text), $4::text
  FROM template CROSS JOIN LATERAL (
    SELECT name FROM document_versions
    WHERE document_id = template.id AND version = template.version LIMIT 1
  ) named`;

/** Locks the templates that are published in an environment, in the order in which batches lock them. */
export const LOCK_PUBLISHED_TEMPLATES = `SELECT FROM documents WHERE id = ANY (ARRAY(
    SELECT template_id FROM template_pointers WHERE workspace_id = $1 AND environment = $2
  )) ORDER BY id FOR NO KEY UPDATE`;

export const LOCK_TEMPLATE = `SELECT FROM documents WHERE id = $1 AND ${isOfKind('documents', 'template')}
  FOR NO KEY UPDATE`;
