import { Inject, Injectable } from '@nestjs/common';
import { Database, Keysets, UnitOfWork } from '#database';

export interface DocumentsOptions {
  /** The largest size of a document with the documents of all its modules, in bytes. */
  maxExpandedBytes: number;
  /** How long a deleted document can be restored; 0 if it is purged at once. */
  trashDays: number;
}

export const DOCUMENTS_OPTIONS = Symbol('DocumentsOptions');

/** Where documents are stored. The functions of this lib take it together with a `DocumentType`. */
@Injectable()
export class DocumentStore {
  constructor(
    readonly database: Database,
    readonly unitOfWork: UnitOfWork,
    readonly keysets: Keysets,
    @Inject(DOCUMENTS_OPTIONS) private readonly options: DocumentsOptions,
  ) {}

  get maxExpandedBytes(): number {
    return this.options.maxExpandedBytes;
  }

  get trashDays(): number {
    return this.options.trashDays;
  }
}
