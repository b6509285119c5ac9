import { Inject, Injectable } from '@nestjs/common';
import {
  Database,
  Keysets,
  noEvent,
  sqlState,
  UnitOfWork,
  type Page,
  type PageRequest,
  type Transaction,
} from '#database';
import {
  DomainError,
  entityTag,
  rejectReadOnlyChanges,
  requireMatchingTag,
  type Precondition,
} from '#errors';
import { authorise, newIdFor, rightIn, type Actor, type CallerRow } from '#workspaces';
import { lockAsset, readAsset, toAsset, type Asset, type AssetRow } from './asset.js';
import { listAssetUsages, refuseUsed, type AssetUsage } from './asset-usages.js';
import { ASSETS_OPTIONS, type AssetsOptions } from './files/assets.options.js';
import { AssetStorage } from './files/asset-storage.js';
import { listAssets, type AssetsRequest } from './list-assets.js';
import { UploadStore, type StoredPicture, type Upload } from './files/upload-store.js';
import * as sql from './write-asset.sql.js';

/** How much of its limits a workspace uses. */
export interface StorageUsage {
  files: number;
  bytes: number;
  maxFiles: number;
  maxBytes: number;
  maxFileBytes: number;
}

type UsageRow = Pick<StorageUsage, 'files' | 'bytes'>;

/** The slot of a request. The request gives its slot up while it receives a file. */
interface Slot {
  readonly beginWait: () => void;
  readonly takeAgain: () => Promise<void>;
}

/** The fields to change. Read-only fields may be sent back unchanged. */
export type AssetChange = { name?: string; tags?: string[] } & {
  [Field in Exclude<keyof Asset, 'name' | 'tags'>]?: unknown;
};

const NO_EVENT_REASON = 'pictures have no events';
const UNIQUE_VIOLATION = '23505';

/** Manages the pictures of workspaces. */
@Injectable()
export class Assets {
  private readonly baseUrl: string;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly keysets: Keysets,
    private readonly storage: AssetStorage,
    private readonly uploads: UploadStore,
    @Inject(ASSETS_OPTIONS) private readonly options: AssetsOptions,
  ) {
    this.baseUrl = (options.publicUrl ?? '').replace(/\/+$/, '');
  }

  /**
   * Stores a picture. If the workspace has the same picture, returns that one, after taking it out of the trash if it
   * is there.
   */
  async create(
    actor: Actor,
    workspaceId: string,
    upload: Upload,
    slot: Slot,
  ): Promise<{ asset: Asset; isCreated: boolean }> {
    this.storage.require();
    this.requireSpace(await this.usageOf(actor, workspaceId, 'editor'));
    const picture = await this.receive(actor, workspaceId, upload, slot);
    const id = newIdFor(workspaceId);
    const write = this.unitOfWork.write(async (transaction) => {
      await this.storeContent(transaction, actor, workspaceId, picture);
      const { name, tags = [] } = picture.fields;
      const values = [actor.userId, id, picture.hash, name.trim(), tidyTags(tags)];
      const [stored] = await transaction.query<AssetRow>(sql.UPSERT_ASSET, values);
      if (stored === undefined) throw new Error('An INSERT returned no row.');
      return noEvent(stored, NO_EVENT_REASON);
    });
    const row = await write.finally(() => this.uploads.discardUnused(picture));
    return { asset: this.toAsset(row), isCreated: row.id === id };
  }

  async list(actor: Actor, request: AssetsRequest): Promise<Page<Asset>> {
    const page = await listAssets(this.database.query, this.keysets, actor, request);
    return { ...page, data: page.data.map((row) => this.toAsset(row)) };
  }

  async get(actor: Actor, id: string): Promise<Asset> {
    return this.toAsset(await readAsset(this.database.query, actor, id, 'viewer'));
  }

  listUsages(actor: Actor, id: string, request: PageRequest): Promise<Page<AssetUsage>> {
    return listAssetUsages(this.database.query, this.keysets, actor, id, request);
  }

  async readUsage(actor: Actor, workspaceId: string): Promise<StorageUsage> {
    const { maxFiles, maxBytes, maxFileBytes } = this.options;
    const { files, bytes } = await this.usageOf(actor, workspaceId, 'viewer');
    return { files, bytes, maxFiles, maxBytes, maxFileBytes };
  }

  update(
    actor: Actor,
    id: string,
    change: AssetChange,
    precondition?: Precondition,
  ): Promise<Asset> {
    return this.change(async ({ query }) => {
      const current = await lockAsset(query, actor, id, { precondition });
      const { name, tags, ...readOnly } = this.toAsset(current);
      rejectReadOnlyChanges(change, readOnly);
      const nextName = change.name?.trim() ?? name;
      const nextTags = change.tags === undefined ? tags : tidyTags(change.tags);
      if (nextName === name && nextTags.join() === tags.join()) return current;
      return one(await query<AssetRow>(sql.RENAME_ASSET, [id, actor.userId, nextName, nextTags]));
    });
  }

  /**
   * Gives an asset another picture. The asset then has another URL. The earlier URL keeps showing the earlier picture
   * until the worker purges it.
   */
  async replace(
    actor: Actor,
    id: string,
    upload: Upload,
    slot: Slot,
    precondition?: Precondition,
  ): Promise<Asset> {
    this.storage.require();
    const seen = await readAsset(this.database.query, actor, id, 'editor');
    // Checked again under the lock, but a stale caller need not send the picture.
    requireMatchingTag(precondition, entityTag(seen));
    const { workspaceId } = seen;
    const picture = await this.receive(actor, workspaceId, upload, slot);
    const change = this.change(async (transaction) => {
      const { query } = transaction;
      await this.storeContent(transaction, actor, workspaceId, picture);
      const current = await lockAsset(query, actor, id, { precondition });
      if (current.hash === picture.hash) return current;
      const values = [id, actor.userId, picture.hash];
      const replaced = await query<AssetRow>(sql.REPLACE_CONTENT, values).catch(refuseTaken);
      await query(sql.RELEASE_CONTENT, [current.hash, this.options.trashDays]);
      return one(replaced);
    });
    return change.finally(() => this.uploads.discardUnused(picture));
  }

  /** Moves an asset to the trash. Its URL keeps working until the worker purges the picture. */
  async delete(
    actor: Actor,
    id: string,
    { force, precondition }: { force: boolean; precondition: Precondition },
  ): Promise<void> {
    await this.change(async ({ query }) => {
      const current = await lockAsset(query, actor, id, { precondition });
      if (!force) await refuseUsed(query, current);
      return one(
        await query<AssetRow>(sql.TRASH_ASSET, [id, actor.userId, this.options.trashDays]),
      );
    });
  }

  restore(actor: Actor, id: string): Promise<Asset> {
    return this.change(async ({ query, requireForReplay }) => {
      const { workspaceId } = await lockAsset(query, actor, id, { place: 'trash' });
      requireForReplay(rightIn(workspaceId, 'editor'));
      return one(await query<AssetRow>(sql.RESTORE_ASSET, [id, actor.userId]));
    }, actor);
  }

  /** Deletes all pictures of a workspace that is being deleted; without `force`, only those in the trash. */
  async deleteAll({ query }: Transaction, workspaceId: string, force: boolean): Promise<void> {
    await query(force ? sql.DELETE_ALL : sql.DELETE_TRASH, [workspaceId]);
  }

  private async change(
    work: (transaction: Transaction) => Promise<AssetRow>,
    actor?: Actor,
  ): Promise<Asset> {
    return this.unitOfWork.write(
      async (transaction) => noEvent(this.toAsset(await work(transaction)), NO_EVENT_REASON),
      actor?.idempotencyKey,
    );
  }

  private async receive(
    actor: Actor,
    workspaceId: string,
    upload: Upload,
    slot: Slot,
  ): Promise<StoredPicture> {
    // An upload takes seconds, in which the request needs no database.
    slot.beginWait();
    const picture = await this.uploads.receive(actor.userId, workspaceId, upload);
    try {
      await slot.takeAgain();
      return picture;
    } catch (error) {
      await this.uploads.discardUnused(picture);
      throw error;
    }
  }

  private async usageOf(actor: Actor, workspaceId: string, role: 'viewer' | 'editor') {
    const values = [actor.userId, workspaceId];
    const [row] = await this.database.query<CallerRow & UsageRow>(sql.SELECT_USAGE, values);
    return authorise(row, role, 'workspace');
  }

  /** @throws DomainError `limit_reached` if not even the smallest picture would fit. */
  private requireSpace({ files, bytes }: UsageRow): void {
    const { maxFiles, maxBytes } = this.options;
    if (files >= maxFiles || bytes >= maxBytes) throw this.limitReached();
  }

  private limitReached(): DomainError {
    const { maxFiles, maxBytes } = this.options;
    const mib = Math.floor(maxBytes / 2 ** 20);
    return new DomainError(
      'limit_reached',
      `The workspace may store ${maxFiles} pictures and ${mib} MiB, including its trash, and this picture does not fit. Delete pictures that you no longer need; their space is free once they have left the trash.`,
    );
  }

  private async storeContent(
    { query }: Transaction,
    actor: Actor,
    workspaceId: string,
    { hash, storageKey, fileName, type, width, height, bytes }: StoredPicture,
  ): Promise<void> {
    const { maxFiles, maxBytes } = this.options;
    const picture = [hash, storageKey, fileName, type, width, height, bytes];
    const [, [row]] = await Promise.all([
      query(sql.LOCK_WORKSPACE, [workspaceId]),
      query<CallerRow & { storageKey: string | null }>(sql.STORE_CONTENT, [
        actor.userId,
        workspaceId,
        ...picture,
        maxFiles,
        maxBytes,
      ]),
    ]);
    if (authorise(row, 'editor', 'workspace').storageKey === null) throw this.limitReached();
  }

  private toAsset(row: AssetRow): Asset {
    return toAsset(row, this.baseUrl);
  }
}

function one(rows: AssetRow[]): AssetRow {
  const [row] = rows;
  if (row === undefined) throw new Error('A picture vanished while it was locked.');
  return row;
}

/** Tags as they are stored: trimmed, sorted and without duplicates. */
const tidyTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map((tag) => tag.trim()))].sort();

function refuseTaken(error: unknown): never {
  if (sqlState(error) === UNIQUE_VIOLATION) {
    throw new DomainError(
      'already_exists',
      'Another picture of the workspace, or of its trash, has the same content. Use that picture instead.',
    );
  }
  throw error;
}
