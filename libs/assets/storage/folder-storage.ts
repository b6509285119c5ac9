import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '#errors';
import { requireKey, type Storage, type StoredFile } from './storage.js';

// Beside the folders of the workspaces, so that a file can be renamed into place: a rename is atomic only within a
// file system.
const UPLOADS = 'uploads';

/** Stores files in a folder of this machine, or of a volume that all programs share. */
export class FolderStorage implements Storage {
  readonly uploadFolder: string;

  private constructor(private readonly folder: string) {
    this.uploadFolder = join(folder, UPLOADS);
  }

  /** @throws StartupError if the folder cannot be created. */
  static async open(folder: string): Promise<FolderStorage> {
    const storage = new FolderStorage(folder);
    try {
      await mkdir(storage.uploadFolder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new StartupError(
        `The folder of ASSETS_STORAGE cannot be used (${(error as Error).message}): create it, and let Galley write to it.`,
      );
    }
    return storage;
  }

  async put(key: string, file: string): Promise<void> {
    const path = this.pathOf(key);
    const copy = join(this.uploadFolder, randomUUID());
    try {
      await copyFile(file, copy);
      await flush(copy);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(copy, path);
    } finally {
      await rm(copy, { force: true });
    }
  }

  async get(key: string): Promise<StoredFile | undefined> {
    const handle = await openIfExists(this.pathOf(key));
    if (handle === undefined) return undefined;
    try {
      const { size } = await handle.stat();
      return { bytes: size, stream: handle.createReadStream() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  close(): void {
    // A folder has no connections.
  }

  private pathOf(key: string): string {
    return join(this.folder, requireKey(key));
  }
}

/** Writes the file to the disk. Otherwise, a crash of the machine could leave an empty file under the key. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openIfExists(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
