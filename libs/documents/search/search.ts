import { Injectable } from '@nestjs/common';
import type { Page } from '#database';
import type { Actor } from '#workspaces';
import { DocumentStore } from '../document/document-store.js';
import { searchDocuments, type SearchRequest, type SearchResult } from './search-documents.js';

@Injectable()
export class Search {
  constructor(private readonly store: DocumentStore) {}

  search(actor: Actor, request: SearchRequest): Promise<Page<SearchResult>> {
    return this.store.read(actor, (store) => searchDocuments(store, actor, request));
  }
}
