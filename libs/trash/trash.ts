import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#database';
import {
  DocumentStore,
  listTrash,
  purgeFromTrash,
  restoreFromTrash,
  type RestoredDocument,
  type TrashedDocument,
} from '#documents';
import { MODULE } from '#modules';
import { TEMPLATE } from '#templates';
import type { Actor } from '#workspaces';

const types = { template: TEMPLATE, module: MODULE };

/** Deleted templates and modules of a workspace. */
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
    return restoreFromTrash(this.store, types, actor, id);
  }

  /** Deletes a document for good. */
  purge(actor: Actor, id: string): Promise<void> {
    return purgeFromTrash(this.store, actor, id);
  }
}
