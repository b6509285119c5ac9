import { Injectable } from '@nestjs/common';
import type { Page, PageRequest, Transaction } from '#database';
import type { Precondition } from '#errors';
import type { JsonText } from '#json';
import type { Actor } from '#workspaces';
import { DocumentStore } from './document/document-store.js';
import type {
  Document,
  DocumentChange,
  DocumentType,
  NewDocument,
} from './document/document-type.js';
import type { DocumentKind } from './document/fields.js';
import { getByExternalId, getDocument, type ExternalId } from './document/read-documents.js';
import { listDocuments, type ListDocumentsRequest } from './lists/list-documents.js';
import { expandDocument, type Expand, type Expanded } from './references/expand-documents.js';
import { listUsages, type ModuleUsage } from './references/list-usages.js';
import {
  compareVersions,
  patchBetweenVersions,
  type CompareRequest,
  type VersionComparison,
} from './versions/compare-versions.js';
import {
  getVersion,
  listVersions,
  restoreVersion,
  type ListVersionsRequest,
  type RestoredModules,
  type Version,
} from './versions/document-versions.js';
import { labelVersion, type VersionLabels } from './versions/label-version.js';
import {
  createDocument,
  duplicateDocument,
  type DuplicateOptions,
} from './write/create-documents.js';
import { deleteAllDocuments, deleteDocument } from './write/delete-documents.js';
import { updateDocument } from './write/update-document.js';
import { upsertDocument, type Upserted, type UpsertOptions } from './write/upsert-document.js';
import { writeBatch, type DocumentBatch } from './write/write-batch.js';

/** Reads and writes templates and modules. A document whose kind is not that of `type` counts as not found. */
@Injectable()
export class Documents {
  constructor(private readonly store: DocumentStore) {}

  list<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    request: ListDocumentsRequest,
  ) {
    return this.store.read(actor, (store) => listDocuments(store, type, actor, request));
  }

  get<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    id: string,
    expand?: Expand,
  ): Promise<Document<Kind> & Expanded> {
    return this.store.read(actor, async (store) => {
      const document = await getDocument(store.database, type, actor, id);
      return expand ? expandDocument(store, actor, document) : document;
    });
  }

  getByExternalId<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    id: ExternalId,
    expand?: Expand,
  ): Promise<Document<Kind> & Expanded> {
    return this.store.read(actor, async (store) => {
      const document = await getByExternalId(store.database, type, actor, id);
      return expand ? expandDocument(store, actor, document) : document;
    });
  }

  create<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    input: NewDocument & { workspaceId: string },
  ): Promise<Document<Kind>> {
    return createDocument(this.store, type, actor, input);
  }

  update<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    id: string,
    change: DocumentChange,
    precondition?: Precondition,
  ): Promise<Document<Kind>> {
    return updateDocument(this.store, type, actor, id, change, precondition);
  }

  /** Updates the document with an external id, or creates it. */
  upsert<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    id: ExternalId,
    input: NewDocument,
    options: UpsertOptions,
  ): Promise<Upserted<Kind>> {
    return upsertDocument(this.store, type, actor, id, input, options);
  }

  /** Creates a copy with a history of its own, which begins with version 1. */
  duplicate<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    sourceId: string,
    options: DuplicateOptions,
  ): Promise<Document<Kind>> {
    return duplicateDocument(this.store, type, actor, sourceId, options);
  }

  writeBatch<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    batch: DocumentBatch,
  ) {
    return writeBatch(this.store, type, actor, batch);
  }

  /** Moves a document to the trash. A module that is in use is deleted only with `force`. */
  delete(
    type: DocumentType,
    actor: Actor,
    id: string,
    precondition?: Precondition,
    force?: boolean,
  ): Promise<void> {
    return deleteDocument(this.store, type, actor, id, precondition, force);
  }

  /** Deletes all documents of a workspace, in the transaction that also deletes the workspace. */
  deleteAll(transaction: Transaction, workspaceId: string): Promise<void> {
    return deleteAllDocuments(transaction, workspaceId);
  }

  listVersions<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    id: string,
    request: ListVersionsRequest,
  ) {
    return this.store.read(actor, (store) => listVersions(store, type, actor, id, request));
  }

  getVersion<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    id: string,
    version: number,
    expand?: Expand,
  ): Promise<Version<Kind> & Expanded> {
    return this.store.read(actor, (store) => getVersion(store, type, actor, id, version, expand));
  }

  compareVersions(
    type: DocumentType,
    actor: Actor,
    id: string,
    request: CompareRequest,
  ): Promise<VersionComparison> {
    return this.store.read(actor, ({ database }) =>
      compareVersions(database, type, actor, id, request),
    );
  }

  /** Returns a JSON Patch (RFC 6902) that turns the content of one version into the content of another. */
  patchBetweenVersions(
    type: DocumentType,
    actor: Actor,
    id: string,
    request: CompareRequest,
  ): Promise<JsonText> {
    return this.store.read(actor, ({ database }) =>
      patchBetweenVersions(database, type, actor, id, request),
    );
  }

  labelVersion<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    id: string,
    version: number,
    labels: VersionLabels,
  ): Promise<Omit<Version<Kind>, 'content'>> {
    return labelVersion(this.store, type, actor, id, version, labels);
  }

  restoreVersion<Kind extends DocumentKind>(
    type: DocumentType<Kind>,
    actor: Actor,
    id: string,
    version: number,
    options: { modules: RestoredModules; precondition?: Precondition },
  ): Promise<Document<Kind>> {
    return restoreVersion(this.store, type, actor, id, version, options);
  }

  /** Lists the templates and modules that use a module, directly or through other modules. */
  listUsages(actor: Actor, moduleId: string, request: PageRequest): Promise<Page<ModuleUsage>> {
    return this.store.read(actor, (store) => listUsages(store, actor, moduleId, request));
  }
}
