import type { StorageLocation } from '../storage/storage.js';

export interface AssetsOptions {
  /** Undefined if the operator has configured no storage. Then there are no pictures. */
  storage: StorageLocation | undefined;
  /** The URL below which mail clients reach `/assets/`. */
  publicUrl: string | undefined;
  /** The largest file, in bytes. */
  maxFileBytes: number;
  /** The largest number of files of a workspace, and of their bytes. */
  maxFiles: number;
  maxBytes: number;
  /** For how many days a deleted asset can be restored. */
  trashDays: number;
}

export const ASSETS_OPTIONS = Symbol('ASSETS_OPTIONS');
