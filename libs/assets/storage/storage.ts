import type { Readable } from 'node:stream';

/** A file that a storage is sending. The caller must read or destroy the stream. */
export interface StoredFile {
  bytes: number;
  stream: Readable;
}

/**
 * Stores files under keys. Nobody writes a key twice, and the callers delete a file only after nothing refers to its
 * key any more. A storage therefore needs no locks.
 */
export interface Storage {
  /** Stores a file of this machine. Until the whole file is stored, `get` does not find it. */
  put(key: string, file: string, mediaType: string): Promise<void>;
  /** @returns undefined if there is no file with the key. */
  get(key: string): Promise<StoredFile | undefined>;
  /** Deleting a file that does not exist has no effect. */
  delete(key: string): Promise<void>;
  /** A folder of this machine for uploads in progress. */
  readonly uploadFolder: string;
  close(): void;
}

/** A bucket of S3 or of a compatible server. */
export interface Bucket {
  endpoint: string;
  region: string;
  bucket: string;
  /** Begins the key of every object: empty, or a path that ends with a slash. */
  prefix: string;
  /** Without credentials, the SDK looks for those of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

export type StorageLocation = { folder: string } | Bucket;

// Keys are made of ids. The check keeps every path inside the folder, whatever a caller passes.
const KEY = /^[\da-f-]{36}\/[\da-f-]{36}(?:\.w\d{1,5})?$/;

/** @throws Error if the key is not one that this lib makes. */
export function requireKey(key: string): string {
  if (!KEY.test(key)) throw new Error('A key of a stored file is malformed.');
  return key;
}
