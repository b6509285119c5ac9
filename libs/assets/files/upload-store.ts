import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '#database';
import { AssetStorage } from './asset-storage.js';
import { ASSETS_OPTIONS, type AssetsOptions } from './assets.options.js';
import { digestOf } from './digest.js';
import { fileNameOf } from './file-name.js';
import { PictureQueues } from './picture-queues.js';
import { normalisePicture } from '../pictures/normalise.js';
import type { Picture } from '../pictures/picture.js';

/** The texts of an upload that arrive with the file. */
export interface UploadFields {
  name?: string | undefined;
  tags?: string[] | undefined;
}

/** An upload whose body has not been read yet. */
export interface Upload {
  /**
   * Reads the body.
   * @param store gets the file of the upload.
   * @throws DomainError `invalid` if a field is not valid, and `too_large` if the file is larger than the limit.
   */
  read(store: (file: Readable) => Promise<void>): Promise<UploadFields & { fileName: string }>;
}

/** A file in the storage, which no row refers to yet. */
export interface StoredPicture extends Picture {
  hash: string;
  storageKey: string;
  fileName: string;
  fields: UploadFields & { name: string };
}

// The worker deletes the file of an upload that has not become an asset by then. No request takes this long.
const INSERT_INTENT = `INSERT INTO asset_files_to_delete (storage_key, delete_after)
  VALUES ($1, now() + interval '1 hour')`;

// A content that refers to the file has removed the row.
const DISCARD = 'UPDATE asset_files_to_delete SET delete_after = now() WHERE storage_key = $1';

/** Receives uploads and stores their files. */
@Injectable()
export class UploadStore {
  constructor(
    private readonly database: Database,
    private readonly storage: AssetStorage,
    private readonly queues: PictureQueues,
    @Inject(ASSETS_OPTIONS) private readonly options: AssetsOptions,
  ) {}

  /** Lets the worker delete a stored file soon, unless a content refers to the file. */
  async discardUnused({ storageKey }: StoredPicture): Promise<void> {
    await this.database.query(DISCARD, [storageKey]);
  }

  /**
   * Receives an upload into a file of this machine, makes it a picture without private data, and stores the picture
   * under a new key. The key is recorded first, so that a crash leaves no file that nobody knows.
   */
  receive(callerKey: string, workspaceId: string, upload: Upload): Promise<StoredPicture> {
    const storage = this.storage.require();
    return this.queues.receive(callerKey, async () => {
      const received = join(storage.uploadFolder, `galley-${randomUUID()}`);
      const normalised = `${received}-normalised`;
      let writing: Promise<void> | undefined;
      try {
        const {
          fileName,
          name = fileName,
          tags,
        } = await upload.read((file) => {
          // Without `wx`, another user of a shared temporary folder could make Galley overwrite a file.
          writing = pipeline(file, createWriteStream(received, { flags: 'wx', mode: 0o600 }));
          return writing;
        });
        const { file, ...picture } = await this.queues.decode(callerKey, () =>
          normalisePicture(received, normalised, this.options.maxFileBytes),
        );
        const hash = await digestOf(workspaceId, file);
        const storageKey = `${workspaceId}/${randomUUID()}`;
        await this.database.query(INSERT_INTENT, [storageKey]);
        await storage.put(storageKey, file, picture.type);
        const fields = { name, ...(tags && { tags }) };
        return { ...picture, hash, storageKey, fileName: fileNameOf(name, picture.type), fields };
      } finally {
        // An upload that fails early may be about to create the file.
        await Promise.allSettled([writing]);
        await Promise.all([received, normalised].map((path) => rm(path, { force: true })));
      }
    });
  }
}
