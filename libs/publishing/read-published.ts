import { isOfKind, expandRows, type DocumentStore, type Expand, type Expanded } from '#documents';
import { JsonText } from '#json';
import { DomainError } from '#errors';
import { authorise, callerColumns, joinMember, type Actor, type CallerRow } from '#workspaces';

/** The version of a template that is published in an environment. */
export interface PublishedTemplate {
  id: string;
  name: string;
  workspaceId: string;
  environment: string;
  version: number;
  publishedAt: Date;
  content: JsonText;
}

type PublishedRow = Omit<PublishedTemplate, 'content'> & { content: string; madeAt: Date };

// An API key that is limited to an environment has the role `published`, which is below `viewer`. In its environment,
// the key may read published versions as a viewer may.
const READER_ROLE = `CASE WHEN member.role = 'published' AND $3 = (
    SELECT environment FROM api_keys WHERE user_id = caller.id
  ) THEN 'viewer' ELSE member.role END`;

const SELECT_PUBLISHED = `SELECT ${callerColumns('template.id', READER_ROLE)}, template.id, version.name,
    template.workspace_id AS "workspaceId", pointer.environment, pointer.version,
    pointer.published_at AS "publishedAt", version.created_at AS "madeAt", version.content::text AS content
  FROM users caller
  LEFT JOIN documents template ON template.id = $2 AND ${isOfKind('template', 'template')}
  LEFT JOIN template_pointers pointer
    ON pointer.template_id = template.id AND pointer.environment = $3
  LEFT JOIN document_versions version
    ON version.document_id = pointer.template_id AND version.version = pointer.version
  ${joinMember('template.workspace_id')}
  WHERE caller.id = $1`;

/**
 * Reads the published version with one statement. With `expand`, references are replaced with the modules as they were
 * when the version was created.
 */
export async function readPublished(
  store: DocumentStore,
  actor: Actor,
  templateId: string,
  environment: string,
  expand?: Expand,
): Promise<PublishedTemplate & Expanded> {
  const [row] = await store.database.query<CallerRow & PublishedRow>(SELECT_PUBLISHED, [
    actor.userId,
    templateId,
    environment,
  ]);
  const published = authorise(row, 'viewer', 'template');
  if ((published.version as number | null) === null) throw DomainError.notFound('publication');
  const [shown = published] = expand
    ? await expandRows(store, actor, [published], ({ madeAt }) => madeAt)
    : [];
  const { madeAt, ...fields } = shown;
  return { ...fields, content: new JsonText(fields.content) };
}
