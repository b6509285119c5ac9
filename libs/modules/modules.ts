import { Injectable } from '@nestjs/common';
import { noEvent, type Page, type PageRequest, type Transaction } from '#database';
import {
  compareVersions,
  createDocument,
  deleteDocument,
  deleteDocuments,
  DocumentStore,
  duplicateDocument,
  getDocument,
  getExpandedDocument,
  getVersion,
  labelVersion,
  listDocuments,
  listUsages,
  listVersions,
  patchBetweenVersions,
  restoreVersion,
  updateDocument,
  writeBatch,
  type CompareRequest,
  type Document,
  type DocumentBatch,
  type DocumentChange,
  type DuplicateOptions,
  type Expand,
  type Expanded,
  type JsonText,
  type ListDocumentsRequest,
  type ListVersionsRequest,
  type ModuleUsage,
  type RestoredModules,
  type Version,
  type VersionLabels,
  type VersionComparison,
  type WritableFields,
} from '#documents';
import type { Precondition } from '#errors';
import type { Actor } from '#workspaces';
import { MODULE, type ModuleFields } from './module-type.js';

/** A reusable piece of a document: a block, a container or a stripe. */
export type Module = Document<ModuleFields>;

type NewModule = WritableFields<keyof ModuleFields> & { workspaceId: string };

/** Modules of workspaces: documents with a category and a description. */
@Injectable()
export class Modules {
  constructor(private readonly store: DocumentStore) {}

  list(actor: Actor, request: ListDocumentsRequest & { category?: string }) {
    const filter = { category: request.category };
    return this.store.read(actor, (store) => listDocuments(store, MODULE, actor, request, filter));
  }

  get(actor: Actor, id: string, expand?: Expand): Promise<Module & Expanded> {
    return this.store.read(actor, (store) =>
      expand
        ? getExpandedDocument(store, MODULE, actor, id)
        : getDocument(store.database, MODULE, actor, id),
    );
  }

  create(actor: Actor, input: NewModule): Promise<Module> {
    return createDocument(this.store, MODULE, actor, input);
  }

  update(
    actor: Actor,
    id: string,
    change: DocumentChange<Module, keyof ModuleFields>,
    precondition?: Precondition,
  ): Promise<Module> {
    return updateDocument(this.store, MODULE, actor, id, change, precondition);
  }

  listVersions(actor: Actor, id: string, request: ListVersionsRequest) {
    return this.store.read(actor, (store) => listVersions(store, MODULE, actor, id, request));
  }

  getVersion(
    actor: Actor,
    id: string,
    version: number,
    expand?: Expand,
  ): Promise<Version<ModuleFields> & Expanded> {
    return this.store.read(actor, (store) => getVersion(store, MODULE, actor, id, version, expand));
  }

  compareVersions(actor: Actor, id: string, request: CompareRequest): Promise<VersionComparison> {
    return this.store.read(actor, ({ database }) =>
      compareVersions(database, MODULE, actor, id, request),
    );
  }

  /** A JSON Patch (RFC 6902) between two versions. */
  patchBetweenVersions(actor: Actor, id: string, request: CompareRequest): Promise<JsonText> {
    return this.store.read(actor, ({ database }) =>
      patchBetweenVersions(database, MODULE, actor, id, request),
    );
  }

  labelVersion(
    actor: Actor,
    id: string,
    version: number,
    labels: VersionLabels,
  ): Promise<Omit<Version<ModuleFields>, 'content'>> {
    return labelVersion(this.store, MODULE, actor, id, version, labels);
  }

  restore(
    actor: Actor,
    id: string,
    version: number,
    options: { modules: RestoredModules; precondition?: Precondition },
  ): Promise<Module> {
    return restoreVersion(this.store, MODULE, actor, id, version, options);
  }

  /** The templates and modules that use a module. */
  listUsages(actor: Actor, id: string, request: PageRequest): Promise<Page<ModuleUsage>> {
    return this.store.read(actor, (store) => listUsages(store, actor, id, request));
  }

  delete(actor: Actor, id: string, precondition?: Precondition, force = false): Promise<void> {
    return deleteDocument(this.store, MODULE, actor, id, precondition, force);
  }

  deleteAll(transaction: Transaction, workspaceId: string): Promise<void> {
    return deleteDocuments(transaction, MODULE, workspaceId);
  }

  duplicate(actor: Actor, sourceId: string, options: DuplicateOptions): Promise<Module> {
    return this.store.unitOfWork.write(async (transaction) => {
      const copy = { ...options, eventCount: 0 };
      const module = await duplicateDocument(
        this.store,
        transaction,
        MODULE,
        actor,
        sourceId,
        copy,
      );
      return noEvent(module, 'the specification has no event for the duplication of a module');
    }, actor.idempotencyKey);
  }

  writeBatch(actor: Actor, batch: DocumentBatch<keyof ModuleFields>) {
    return writeBatch(this.store, MODULE, actor, batch);
  }
}
