import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#database';
import type { Actor } from '#workspaces';
import { DocumentStore } from '../document/document-store.js';
import { listTrash, type TrashedDocument } from './list-trash.js';
import { purgeFromTrash, restoreFromTrash, type RestoredDocument } from './restore-from-trash.js';

@Injectable()
export class Trash {
  constructor(private readonly store: DocumentStore) {}

  list(
    actor: Actor,
    request: PageRequest & { workspaceId: string },
  ): Promise<Page<TrashedDocument>> {
    return this.store.read(actor, (store) => listTrash(store, actor, request));
  }

  restore(actor: Actor, id: string): Promise<RestoredDocument> {
    return restoreFromTrash(this.store, actor, id);
  }

  purge(actor: Actor, id: string): Promise<void> {
    return purgeFromTrash(this.store, actor, id);
  }
}
