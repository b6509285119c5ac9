import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '#errors';
import { ASSETS_OPTIONS, type AssetsOptions } from './assets.options.js';
import { createStorage } from '../storage/create-storage.js';
import type { Storage } from '../storage/storage.js';

/** The storage that the operator has configured. */
@Injectable()
export class AssetStorage implements OnModuleInit, OnApplicationShutdown {
  private storage: Storage | undefined;

  constructor(@Inject(ASSETS_OPTIONS) private readonly options: AssetsOptions) {}

  /** Fails while the program starts if the storage cannot be used, and not with the first upload. */
  async onModuleInit(): Promise<void> {
    const { storage } = this.options;
    if (storage !== undefined) this.storage = await createStorage(storage);
  }

  onApplicationShutdown(): void {
    this.storage?.close();
  }

  get isConfigured(): boolean {
    return this.options.storage !== undefined;
  }

  /** @throws DomainError `conflict` if there is no storage. */
  require(): Storage {
    if (this.storage === undefined) {
      throw DomainError.conflict(
        'This Galley stores no pictures. Ask its operator to set ASSETS_STORAGE.',
      );
    }
    return this.storage;
  }
}
