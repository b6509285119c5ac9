import type { Page, PageRequest } from '#database';
import { isOfKind, type DocumentStore } from '#documents';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  joinMember,
  type Actor,
  type CallerRow,
} from '#workspaces';
import { publicationColumns, scheduledColumns, type Publication } from './publication.js';

export interface ListPublicationsRequest extends PageRequest {
  /** Only publications in this environment. */
  environment?: string;
}

// PostgreSQL's largest `integer`.
const MAX_NUMBER = 2_147_483_647;
const EARLIEST = ['-infinity', '00000000-0000-0000-0000-000000000000'];

/**
 * Builds a statement for a page of a template's publication history, newest first.
 * @param position the condition for the rows after the position $3.
 * @param order the columns of the index from which the page is read.
 */
const selectHistory = (position: string, order: string): string =>
  `SELECT ${callerColumns('template.id')}, page.* FROM users caller
   LEFT JOIN documents template ON template.id = $2 AND ${isOfKind('template', 'template')}
   ${joinMember('template.workspace_id')}
   LEFT JOIN LATERAL (
     SELECT ${publicationColumns('publication')}, number FROM template_publications publication
     WHERE template_id = template.id AND ${position}
     ORDER BY ${order} LIMIT $4
   ) page ON true
   WHERE caller.id = $1 ORDER BY page.number DESC`;

const SELECT_HISTORY = selectHistory('number < $3', 'number DESC');
// With `environment = $5`, PostgreSQL might scan the publications of all environments, and discard those of the other
// environments.
const SELECT_HISTORY_OF_ENVIRONMENT = selectHistory(
  'environment >= $5 AND (environment, number) < ($5, $3)',
  'environment DESC, number DESC',
);

export async function listPublications(
  { database, keysets }: DocumentStore,
  actor: Actor,
  templateId: string,
  { limit, cursor, environment }: ListPublicationsRequest,
): Promise<Page<Publication>> {
  const keyset = keysets.forList(['publications', templateId, environment], [MAX_NUMBER]);
  const values = [actor.userId, templateId, ...keyset.after(cursor), limit + 1];
  const rows = await (environment === undefined
    ? database.query<CallerRow & Publication & { number: number }>(SELECT_HISTORY, values)
    : database.query<CallerRow & Publication & { number: number }>(SELECT_HISTORY_OF_ENVIRONMENT, [
        ...values,
        environment,
      ]));
  const publications = authoriseList(rows, 'viewer', 'template');
  const page = keyset.page(publications, limit, ({ number }) => [number]);
  return { ...page, data: page.data.map(({ number, ...publication }) => publication) };
}

const fromCaller = {
  template: `FROM users caller LEFT JOIN documents template ON template.id = $2 AND ${isOfKind('template', 'template')}
    ${joinMember('template.workspace_id')}`,
  workspace: fromCallerInWorkspace('$2'),
};
const scopeOf = {
  template: 'template_id = template.id',
  workspace: 'workspace_id = member.workspace_id',
};

const selectScheduled = (resource: 'template' | 'workspace'): string =>
  `SELECT ${callerColumns(`${resource}.id`)}, page.* ${fromCaller[resource]}
   LEFT JOIN LATERAL (
     SELECT ${scheduledColumns('scheduled')} FROM scheduled_publications scheduled
     WHERE ${scopeOf[resource]} AND (at, id) > ($3, $4)
     ORDER BY at, id LIMIT $5
   ) page ON true
   WHERE caller.id = $1 ORDER BY page.at, page.id`;

export async function listScheduled(
  { database, keysets }: DocumentStore,
  actor: Actor,
  resource: 'template' | 'workspace',
  id: string,
  { limit, cursor }: PageRequest,
): Promise<Page<Publication>> {
  const keyset = keysets.forList(['scheduled', resource, id], EARLIEST);
  const rows = await database.query<CallerRow & Publication>(selectScheduled(resource), [
    actor.userId,
    id,
    ...keyset.after(cursor),
    limit + 1,
  ]);
  const scheduled = authoriseList(rows, 'viewer', resource);
  return keyset.page(scheduled, limit, ({ at, id }) => [at, id]);
}
