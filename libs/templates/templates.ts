import { Injectable } from '@nestjs/common';
import { withEvents, type Transaction } from '#database';
import {
  compareVersions,
  createDocument,
  deleteDocument,
  deleteDocuments,
  DocumentStore,
  duplicateDocument,
  eventData,
  FIRST_SEQUENCE,
  getDocument,
  getExpandedDocument,
  getVersion,
  labelVersion,
  JsonText,
  listDocuments,
  listVersions,
  patchBetweenVersions,
  restoreVersion,
  updateDocument,
  writeBatch,
  type Batch,
  type CompareRequest,
  type Document,
  type DocumentChange,
  type DuplicateOptions,
  type Expand,
  type Expanded,
  type ListDocumentsRequest,
  type ListVersionsRequest,
  type RestoredModules,
  type Version,
  type VersionLabels,
  type VersionComparison,
} from '#documents';
import type { Precondition } from '#errors';
import { createEvent } from '#events';
import type { Actor } from '#workspaces';
import { TEMPLATE } from './template-type.js';

export type Template = Document;

interface NewContent {
  name: string;
  content?: JsonText;
}

export const EMPTY_CONTENT = new JsonText('{"styles":{},"stripes":[]}');

/** Templates of workspaces. */
@Injectable()
export class Templates {
  constructor(private readonly store: DocumentStore) {}

  list(actor: Actor, request: ListDocumentsRequest) {
    return this.store.read(actor, (store) => listDocuments(store, TEMPLATE, actor, request));
  }

  get(actor: Actor, id: string, expand?: Expand): Promise<Template & Expanded> {
    return this.store.read(actor, (store) =>
      expand
        ? getExpandedDocument(store, TEMPLATE, actor, id)
        : getDocument(store.database, TEMPLATE, actor, id),
    );
  }

  create(actor: Actor, input: NewContent & { workspaceId: string }): Promise<Template> {
    return createDocument(this.store, TEMPLATE, actor, withContent(input));
  }

  update(
    actor: Actor,
    id: string,
    change: DocumentChange<Template>,
    precondition?: Precondition,
  ): Promise<Template> {
    return updateDocument(this.store, TEMPLATE, actor, id, change, precondition);
  }

  listVersions(actor: Actor, id: string, request: ListVersionsRequest) {
    return this.store.read(actor, (store) => listVersions(store, TEMPLATE, actor, id, request));
  }

  getVersion(
    actor: Actor,
    id: string,
    version: number,
    expand?: Expand,
  ): Promise<Version & Expanded> {
    return this.store.read(actor, (store) =>
      getVersion(store, TEMPLATE, actor, id, version, expand),
    );
  }

  compareVersions(actor: Actor, id: string, request: CompareRequest): Promise<VersionComparison> {
    return this.store.read(actor, ({ database }) =>
      compareVersions(database, TEMPLATE, actor, id, request),
    );
  }

  /** A JSON Patch (RFC 6902) between two versions. */
  patchBetweenVersions(actor: Actor, id: string, request: CompareRequest): Promise<JsonText> {
    return this.store.read(actor, ({ database }) =>
      patchBetweenVersions(database, TEMPLATE, actor, id, request),
    );
  }

  labelVersion(
    actor: Actor,
    id: string,
    version: number,
    labels: VersionLabels,
  ): Promise<Omit<Version, 'content'>> {
    return labelVersion(this.store, TEMPLATE, actor, id, version, labels);
  }

  restore(
    actor: Actor,
    id: string,
    version: number,
    options: { modules: RestoredModules; precondition?: Precondition },
  ): Promise<Template> {
    return restoreVersion(this.store, TEMPLATE, actor, id, version, options);
  }

  delete(actor: Actor, id: string, precondition?: Precondition): Promise<void> {
    return deleteDocument(this.store, TEMPLATE, actor, id, precondition);
  }

  deleteAll(transaction: Transaction, workspaceId: string): Promise<void> {
    return deleteDocuments(transaction, TEMPLATE, workspaceId);
  }

  /** The history of the copy begins with version 1. */
  duplicate(actor: Actor, sourceId: string, options: DuplicateOptions): Promise<Template> {
    return this.store.unitOfWork.write(async (transaction) => {
      const copy = { ...options, eventCount: FIRST_SEQUENCE };
      const template = await duplicateDocument(
        this.store,
        transaction,
        TEMPLATE,
        actor,
        sourceId,
        copy,
      );
      const data = { ...eventData(TEMPLATE, template), sourceId };
      return withEvents(template, createEvent('template.duplicated', FIRST_SEQUENCE, data));
    }, actor.idempotencyKey);
  }

  writeBatch(actor: Actor, { workspaceId, operations }: Batch<NewContent, Partial<NewContent>>) {
    return writeBatch(this.store, TEMPLATE, actor, {
      workspaceId,
      operations: operations.map((operation) =>
        operation.action === 'create' ? withContent(operation) : operation,
      ),
    });
  }
}

const withContent = <Input extends NewContent>(input: Input) => ({
  ...input,
  content: input.content ?? EMPTY_CONTENT,
});
