import type { Storage, StorageLocation } from './storage.js';

/** Loads only the code of the storage that is used, because the SDK of S3 takes 150 ms and 35 MB of memory. */
export async function createStorage(location: StorageLocation): Promise<Storage> {
  if ('folder' in location) {
    const { FolderStorage } = await import('./folder-storage.js');
    return FolderStorage.open(location.folder);
  }
  const { BucketStorage } = await import('./bucket-storage.js');
  return new BucketStorage(location);
}
