import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#database';
import type { Actor } from '#workspaces';
import { DocumentStore } from '../document/document-store.js';
import { listTags, type TagUsage } from './list-tags.js';
import { replaceTag, type TagChange } from './replace-tag.js';

@Injectable()
export class Tags {
  constructor(private readonly store: DocumentStore) {}

  list(actor: Actor, request: PageRequest & { workspaceId: string }): Promise<Page<TagUsage>> {
    return this.store.read(actor, (store) => listTags(store, actor, request));
  }

  rename(
    actor: Actor,
    { workspaceId, name, newName }: { workspaceId: string; name: string; newName: string },
  ): Promise<TagChange> {
    const change = { workspaceId, tag: name.trim(), newTag: newName.trim() };
    return replaceTag(this.store, actor, change);
  }

  remove(
    actor: Actor,
    { workspaceId, name }: { workspaceId: string; name: string },
  ): Promise<TagChange> {
    return replaceTag(this.store, actor, { workspaceId, tag: name.trim() });
  }
}
