import { Module, type DynamicModule } from '@nestjs/common';
import {
  DOCUMENTS_OPTIONS,
  DocumentStore,
  type DocumentsOptions,
} from './document/document-store.js';
import { Documents } from './documents.js';
import { Search } from './search/search.js';
import { Tags } from './tags/tags.js';
import { Trash } from './trash/trash.js';
import { UsageUpdates } from './usage-updates/usage-updates.js';

const SERVICES = [Documents, DocumentStore, Search, Tags, Trash, UsageUpdates];

@Module({})
export class DocumentsModule {
  static forRoot(options: DocumentsOptions): DynamicModule {
    return {
      module: DocumentsModule,
      global: true,
      providers: [{ provide: DOCUMENTS_OPTIONS, useValue: options }, ...SERVICES],
      exports: SERVICES,
    };
  }
}
