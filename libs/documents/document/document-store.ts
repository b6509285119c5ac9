import { Inject, Injectable } from '@nestjs/common';
import { Database, Keysets, Reads, UnitOfWork, type ReadDatabase } from '#database';
import type { Actor } from '#workspaces';

export interface DocumentsOptions {
  /** Maximum size of a document including the contents of all its modules, in bytes. */
  maxExpandedBytes: number;
  /** How many days a deleted document can be restored; with 0, documents are purged at once. */
  trashDays: number;
}

export const DOCUMENTS_OPTIONS = Symbol('DocumentsOptions');

/** The database access and the options that the functions of this library share. */
@Injectable()
export class DocumentStore {
  constructor(
    @Inject(Database) readonly database: ReadDatabase,
    readonly unitOfWork: UnitOfWork,
    readonly keysets: Keysets,
    private readonly reads: Reads,
    @Inject(DOCUMENTS_OPTIONS) private readonly options: DocumentsOptions,
  ) {}

  /** Runs a read, possibly on a replica. `work` must use the database of the store that it receives. */
  read<T>(actor: Actor, work: (store: DocumentStore) => Promise<T>): Promise<T> {
    const { unitOfWork, keysets, reads, options } = this;
    return reads.run(actor, (database) =>
      work(new DocumentStore(database, unitOfWork, keysets, reads, options)),
    );
  }

  get maxExpandedBytes(): number {
    return this.options.maxExpandedBytes;
  }

  get trashDays(): number {
    return this.options.trashDays;
  }
}
