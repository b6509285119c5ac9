import { Injectable } from '@nestjs/common';
import { noEvent, withEvents, type Page, type PageRequest, type Transaction } from '#database';
import { DocumentStore, type Expand, type Expanded } from '#documents';
import { DomainError } from '#errors';
import { activeTraceparent } from '#tracing';
import { rightIn, type Actor, newIdFor, partitionSuffix } from '#workspaces';
import { lockPointer } from './lock-pointer.sql.js';
import { LOCK_PUBLISHED_TEMPLATES, movePointer, UNPUBLISH_ALL } from './move-pointer.sql.js';
import type { Publication } from './publication.js';
import {
  listPublications,
  listScheduled,
  type ListPublicationsRequest,
} from './list-publications.js';
import { publishBatch, type PublishBatchRequest } from './publish-batch.js';
import { CheckRequired } from './check-required.js';
import { readPublished, type PublishedTemplate } from './read-published.js';
import { cancelScheduled, schedule } from './schedule.js';

export interface PublishRequest {
  environment: string;
  version: number;
  note: string;
  /** A time in the future; undefined to publish immediately. */
  at?: Date | undefined;
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

  /**
   * Publishes several templates of a workspace now, all or none of them.
   *
   * @param findRefusal checks a version, as for `publish`.
   */
  publishBatch(
    actor: Actor,
    request: PublishBatchRequest,
    findRefusal: (templateId: string, version: number) => Promise<DomainError | undefined>,
  ): Promise<{ data: Publication[] }> {
    return publishBatch(this.store, actor, request, findRefusal);
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
