import { Module, type DynamicModule } from '@nestjs/common';
import { DOCUMENTS_OPTIONS, DocumentStore, type DocumentsOptions } from './document-store.js';

@Module({})
export class DocumentsModule {
  static forRoot(options: DocumentsOptions): DynamicModule {
    return {
      module: DocumentsModule,
      global: true,
      providers: [{ provide: DOCUMENTS_OPTIONS, useValue: options }, DocumentStore],
      exports: [DocumentStore],
    };
  }
}
