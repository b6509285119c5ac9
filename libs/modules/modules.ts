import { Injectable } from '@nestjs/common';
import { Database, Keysets, noEvent, UnitOfWork, type Transaction } from '#database';
import {
  createDocument,
  deleteDocument,
  deleteDocuments,
  duplicateDocument,
  getDocument,
  listDocuments,
  updateDocument,
  writeBatch,
  type Document,
  type DocumentBatch,
  type DocumentChange,
  type DocumentType,
  type DuplicateOptions,
  type ListDocumentsRequest,
  type WritableFields,
} from '#documents';
import type { Precondition } from '#errors';
import type { Actor } from '#workspaces';

interface ModuleFields {
  category: string;
  description: string;
}

/** A reusable piece of a document: a block, a container or a stripe. */
export type Module = Document<ModuleFields>;

type NewModule = WritableFields<keyof ModuleFields> & { workspaceId: string };

const MODULE: DocumentType<'module', ModuleFields> = {
  kind: 'module',
  table: 'modules',
  columns: { category: 'category', description: 'description' },
  defaults: { category: '', description: '' },
  texts: ['category', 'description'],
  counter: 'events',
  eventColumns: { id: 'id', name: 'name', workspaceId: 'workspace_id', category: 'category' },
};

/** Modules of workspaces: documents with a category and a description, and without versions. */
@Injectable()
export class Modules {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
  ) {}

  list(actor: Actor, request: ListDocumentsRequest & { category?: string }) {
    const filter = { category: request.category };
    return listDocuments(this.database, this.keysets, MODULE, actor, request, filter);
  }

  get(actor: Actor, id: string): Promise<Module> {
    return getDocument(this.database, MODULE, actor, id);
  }

  create(actor: Actor, input: NewModule): Promise<Module> {
    return createDocument(this.unitOfWork, MODULE, actor, input);
  }

  update(
    actor: Actor,
    id: string,
    change: DocumentChange<Module, keyof ModuleFields>,
    precondition?: Precondition,
  ): Promise<Module> {
    return updateDocument(this.unitOfWork, MODULE, actor, id, change, precondition);
  }

  delete(actor: Actor, id: string, precondition?: Precondition): Promise<void> {
    return deleteDocument(this.unitOfWork, MODULE, actor, id, precondition);
  }

  deleteAll(transaction: Transaction, workspaceId: string): Promise<void> {
    return deleteDocuments(transaction, MODULE, workspaceId);
  }

  duplicate(actor: Actor, sourceId: string, options: DuplicateOptions): Promise<Module> {
    return this.unitOfWork.write(async (transaction) => {
      const copy = { ...options, eventCount: 0 };
      const module = await duplicateDocument(transaction, MODULE, actor, sourceId, copy);
      return noEvent(module, 'the specification has no event for the duplication of a module');
    }, actor.idempotencyKey);
  }

  writeBatch(actor: Actor, batch: DocumentBatch<keyof ModuleFields>) {
    return writeBatch(this.unitOfWork, MODULE, actor, batch);
  }
}
