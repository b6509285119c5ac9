import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#database';
import { DocumentStore, listTags, replaceTag, type TagChange, type TagUsage } from '#documents';
import { MODULE } from '#modules';
import { TEMPLATE } from '#templates';
import type { Actor } from '#workspaces';

// A transaction that locks both kinds locks templates first.
const types = [TEMPLATE, MODULE];

/** The tags of templates and modules. */
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
    return replaceTag(this.store, types, actor, change);
  }

  remove(
    actor: Actor,
    { workspaceId, name }: { workspaceId: string; name: string },
  ): Promise<TagChange> {
    return replaceTag(this.store, types, actor, { workspaceId, tag: name.trim() });
  }
}
