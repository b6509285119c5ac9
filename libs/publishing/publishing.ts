import { Injectable } from '@nestjs/common';
import { noEvent, withEvents, type Page, type PageRequest, type Transaction } from '#database';
import { isOfKind, DocumentStore, type Expand, type Expanded } from '#documents';
import { DomainError } from '#errors';
import { activeTraceparent } from '#tracing';
import {
  authorise,
  callerColumns,
  joinMember,
  PRODUCTION,
  rightIn,
  type Actor,
  type CallerRow,
  newIdFor,
  partitionSuffix,
} from '#workspaces';
import {
  LOCK_PUBLISHED_TEMPLATES,
  LOCK_TEMPLATE,
  movePointer,
  UNPUBLISH_ALL,
} from './move-pointer.sql.js';
import { publicationColumns, type Publication } from './publication.js';
import {
  listPublications,
  listScheduled,
  type ListPublicationsRequest,
} from './list-publications.js';
import { readPublished, type PublishedTemplate } from './read-published.js';
import { cancelScheduled, schedule } from './schedule.js';

export interface PublishRequest {
  environment: string;
  version: number;
  note: string;
  /** A time in the future; undefined to publish immediately. */
  at?: Date | undefined;
}

/** Thrown to end the transaction, so that no transaction is open while the version is checked. */
class CheckRequired extends Error {
  override readonly name = 'CheckRequired';
}

/** Publishes templates in the environments of a workspace, immediately or at a scheduled time. */
@Injectable()
export class Publishing {
  constructor(private readonly store: DocumentStore) {}

  /**
   * Publishes a version, now or later. Publishing the version that is already published changes nothing.
   *
   * @param findRefusal checks the version, and returns an error if the version must not be published. Called only if
   * the workspace has `errorsBlockPublishing`.
   */
  async publish(
    actor: Actor,
    templateId: string,
    request: PublishRequest,
    findRefusal: () => Promise<DomainError | undefined>,
  ): Promise<Publication> {
    try {
      return await this.move(actor, templateId, request, false);
    } catch (error) {
      if (!(error instanceof CheckRequired)) throw error;
    }
    // No transaction stays open while a thread renders the version. A version never changes, so the result of the check
    // remains valid.
    const refusal = await findRefusal();
    if (refusal) throw refusal;
    return this.move(actor, templateId, request, true);
  }

  /** @throws CheckRequired if the workspace has `errorsBlockPublishing`, and the version has not been checked. */
  private move(
    actor: Actor,
    templateId: string,
    request: PublishRequest,
    isChecked: boolean,
  ): Promise<Publication> {
    const { environment, version, note, at } = request;
    return this.store.unitOfWork.write(async (transaction) => {
      const { current, workspaceId, errorsBlockPublishing } = await lockPointer(
        transaction,
        actor,
        templateId,
        request,
      );
      transaction.requireForReplay(rightIn(workspaceId, 'editor'));
      const changesNothing = at === undefined && current.version === version;
      if (errorsBlockPublishing && !isChecked && !changesNothing) throw new CheckRequired();
      if (at !== undefined) {
        const scheduled = { templateId, environment, workspaceId, version, note, at };
        return schedule(transaction, actor, scheduled);
      }
      const moved = await movePointer(transaction.query, {
        id: newIdFor(workspaceId),
        templateId,
        environment,
        version,
        note,
        userId: actor.userId,
        createdAt: null,
      });
      if (moved !== undefined) return withEvents(moved.publication, moved.event);
      return noEvent(current, 'the version is published already');
    }, actor.idempotencyKey);
  }

  unpublish(
    actor: Actor,
    templateId: string,
    { environment, note }: { environment: string; note: string },
  ): Promise<Publication> {
    return this.store.unitOfWork.write(async (transaction) => {
      const target = { environment, version: null };
      const { workspaceId } = await lockPointer(transaction, actor, templateId, target);
      transaction.requireForReplay(rightIn(workspaceId, 'editor'));
      const moved = await movePointer(transaction.query, {
        id: newIdFor(workspaceId),
        templateId,
        environment,
        version: null,
        note,
        userId: actor.userId,
        createdAt: null,
      });
      if (moved === undefined) throw DomainError.notFound('publication');
      return withEvents(moved.publication, moved.event);
    }, actor.idempotencyKey);
  }

  /**
   * Unpublishes all templates in an environment, and cancels all scheduled publications there. The transaction then
   * deletes the environment.
   */
  async unpublishAll(
    { query }: Transaction,
    actor: Actor,
    workspaceId: string,
    environment: string,
  ): Promise<void> {
    await Promise.all([
      query(LOCK_PUBLISHED_TEMPLATES, [workspaceId, environment]),
      query(UNPUBLISH_ALL, [
        workspaceId,
        environment,
        actor.userId,
        activeTraceparent(),
        partitionSuffix(workspaceId),
      ]),
    ]);
  }

  read(
    actor: Actor,
    templateId: string,
    environment: string,
    expand?: Expand,
  ): Promise<PublishedTemplate & Expanded> {
    return this.store.read(actor, (store) =>
      readPublished(store, actor, templateId, environment, expand),
    );
  }

  /** Lists the publication history of a template, newest first. */
  list(
    actor: Actor,
    templateId: string,
    request: ListPublicationsRequest,
  ): Promise<Page<Publication>> {
    return this.store.read(actor, (store) => listPublications(store, actor, templateId, request));
  }

  /** Lists the scheduled publications of a template or of a whole workspace, in the order in which they are due. */
  listScheduled(
    actor: Actor,
    resource: 'template' | 'workspace',
    id: string,
    request: PageRequest,
  ): Promise<Page<Publication>> {
    return this.store.read(actor, (store) => listScheduled(store, actor, resource, id, request));
  }

  cancel(actor: Actor, templateId: string, publicationId: string): Promise<void> {
    return cancelScheduled(this.store, actor, templateId, publicationId);
  }
}

// Locks are always taken in this order: the workspace, the environment, the template. Deleting a workspace or an
// environment takes locks in the same order, which prevents deadlocks.
const CREATE_PRODUCTION = `INSERT INTO environments (workspace_id, name)
  SELECT workspace_id, '${PRODUCTION}' FROM documents WHERE id = $1 AND ${isOfKind('documents', 'template')}
  ON CONFLICT DO NOTHING`;
const LOCK_WORKSPACE_OF_TEMPLATE = `SELECT FROM workspaces
  WHERE id = (SELECT workspace_id FROM documents WHERE id = $1) FOR KEY SHARE`;
const LOCK_ENVIRONMENT = `SELECT FROM environments
  WHERE workspace_id = (SELECT workspace_id FROM documents WHERE id = $1) AND name = $2 FOR KEY SHARE`;

const LOAD_POINTER = `SELECT ${callerColumns('template.id')}, template.workspace_id AS "workspaceId",
    environment.name AS "environmentName", version.version AS "foundVersion",
    workspace.errors_block_publishing AS "errorsBlockPublishing", publication.*
  FROM users caller
  LEFT JOIN documents template ON template.id = $2 AND ${isOfKind('template', 'template')}
  LEFT JOIN workspaces workspace ON workspace.id = template.workspace_id
  LEFT JOIN environments environment
    ON environment.workspace_id = template.workspace_id AND environment.name = $3
  LEFT JOIN document_versions version ON version.document_id = template.id AND version.version = $4
  LEFT JOIN template_pointers pointer
    ON pointer.template_id = template.id AND pointer.environment = $3
  LEFT JOIN LATERAL (
    SELECT ${publicationColumns('publication')} FROM template_publications publication
    WHERE template_id = pointer.template_id AND number = pointer.number LIMIT 1
  ) publication ON true
  ${joinMember('template.workspace_id')}
  WHERE caller.id = $1`;

interface PointerRow {
  workspaceId: string;
  environmentName: string | null;
  foundVersion: number | null;
  errorsBlockPublishing: boolean;
}

/**
 * Takes the locks for moving a pointer, and loads the pointer. All statements are sent together. The last statement
 * sees what was committed while the others waited for locks.
 *
 * @returns the workspace of the template, its setting `errorsBlockPublishing`, and the current publication, whose
 * fields are null if nothing is published.
 */
async function lockPointer(
  { query }: Transaction,
  actor: Actor,
  templateId: string,
  { environment, version }: { environment: string; version: number | null },
): Promise<{ workspaceId: string; errorsBlockPublishing: boolean; current: Publication }> {
  const statements: Promise<unknown>[] = [];
  if (environment === PRODUCTION) statements.push(query(CREATE_PRODUCTION, [templateId]));
  statements.push(
    query(LOCK_WORKSPACE_OF_TEMPLATE, [templateId]),
    query(LOCK_ENVIRONMENT, [templateId, environment]),
    query(LOCK_TEMPLATE, [templateId]),
  );
  const [[row]] = await Promise.all([
    query<CallerRow & PointerRow & Publication>(LOAD_POINTER, [
      actor.userId,
      templateId,
      environment,
      version,
    ]),
    ...statements,
  ]);
  const pointer = authorise(row, 'editor', 'template');
  const { workspaceId, environmentName, foundVersion, errorsBlockPublishing, ...current } = pointer;
  if (environmentName === null) throw DomainError.notFound('environment');
  if (version !== null && foundVersion === null) throw DomainError.notFound('version');
  return { workspaceId, errorsBlockPublishing, current };
}
