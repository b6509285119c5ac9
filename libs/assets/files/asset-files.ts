import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import { LRUCache } from 'lru-cache';
import { AssetStorage } from './asset-storage.js';
import { PictureQueues } from './picture-queues.js';
import type { PictureType } from '../pictures/picture.js';
import { resizePicture } from '../pictures/resize.js';
import type { StoredFile } from '../storage/storage.js';
import { variantKey } from './variant-keys.js';

/** A public file, ready to be sent. */
export interface PublicFile extends StoredFile {
  type: PictureType;
}

/** A row of `asset_contents`. */
interface Content {
  storageKey: string;
  fileName: string;
  type: PictureType;
  width: number;
}

const SELECT_CONTENT = `SELECT storage_key AS "storageKey", file_name AS "fileName", type, width
  FROM asset_contents WHERE hash = $1`;

// A content never changes. The time limits for how long a purged one looks as if it existed; its file is gone by then.
const MAX_CACHED = 10_000;
const CACHE_MS = 60_000;

/** Serves the files of pictures. Anybody who knows the digest of a picture may see it. */
@Injectable()
export class AssetFiles {
  private readonly contents = new LRUCache<string, Content>({ max: MAX_CACHED, ttl: CACHE_MS });
  /** The copies that are being drawn, so that two requests at the same time draw one. */
  private readonly drawings = new Map<string, Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly storage: AssetStorage,
    private readonly queues: PictureQueues,
  ) {}

  /**
   * @param name the file name in the URL. Another name than that of the content finds nothing, so that nobody can fill
   * the caches between Galley and its readers with copies.
   * @param width one of `widths`. A picture that is not wider is returned as it is.
   * @param look runs the look-up in the database.
   * @returns undefined if there is no such picture.
   */
  async open(
    hash: string,
    name: string,
    { width, callerKey }: { width?: number | undefined; callerKey: string },
    look: <T>(query: () => Promise<T>) => Promise<T>,
  ): Promise<PublicFile | undefined> {
    if (!this.storage.isConfigured) return undefined;
    const content = this.contents.get(hash) ?? (await look(() => this.find(hash)));
    if (content?.fileName !== name) return undefined;
    const { storageKey, type } = content;
    const file =
      width === undefined || width >= content.width
        ? await this.storage.require().get(storageKey)
        : await this.openVariant(content, width, callerKey);
    return file && { ...file, type };
  }

  private async find(hash: string): Promise<Content | undefined> {
    const [content] = await this.database.query<Content>(SELECT_CONTENT, [hash]);
    if (content !== undefined) this.contents.set(hash, content);
    return content;
  }

  private async openVariant(
    content: Content,
    width: number,
    callerKey: string,
  ): Promise<StoredFile | undefined> {
    const storage = this.storage.require();
    const key = variantKey(content.storageKey, width);
    const stored = await storage.get(key);
    if (stored !== undefined) return stored;
    const drawing = this.drawings.get(key) ?? this.drawVariant(content, width, callerKey);
    this.drawings.set(key, drawing);
    try {
      await drawing;
    } finally {
      if (this.drawings.get(key) === drawing) this.drawings.delete(key);
    }
    return storage.get(key);
  }

  private drawVariant(content: Content, width: number, callerKey: string): Promise<void> {
    return this.queues.decode(callerKey, async () => {
      const storage = this.storage.require();
      const source = await storage.get(content.storageKey);
      if (source === undefined) return;
      const output = join(storage.uploadFolder, `galley-${randomUUID()}`);
      try {
        await resizePicture(source.stream, content, width, output);
        await storage.put(variantKey(content.storageKey, width), output, content.type);
      } finally {
        source.stream.destroy();
        await rm(output, { force: true });
      }
    });
  }
}
