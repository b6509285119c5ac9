import { Inject, Injectable } from '@nestjs/common';
import { Database, Keysets, Reads, UnitOfWork, type ReadDatabase } from '#database';
import type { Actor } from '#workspaces';

export interface DocumentsOptions {
  /** Maximum size of a document including the contents of all its modules, in bytes. */
  maxExpandedBytes: number;
  /** Number of days for which a deleted document can be restored. With 0, deleted documents skip the trash. */
  trashDays: number;
}

export const DOCUMENTS_OPTIONS = Symbol('DocumentsOptions');

/** Provides the functions of this library with database access and options. */
@Injectable()
export class DocumentStore {
  constructor(
    @Inject(Database) readonly database: ReadDatabase,
    readonly unitOfWork: UnitOfWork,
    readonly keysets: Keysets,
    private readonly reads: Reads,
    @Inject(DOCUMENTS_OPTIONS) private readonly options: DocumentsOptions,
  ) {}

  /** Runs `work`, possibly on a replica. `work` must query through the store that it receives. */
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
