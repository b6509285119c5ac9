import { Module, type DynamicModule } from '@nestjs/common';
import { AssetFiles } from './files/asset-files.js';
import { AssetPurge } from './asset-purge.js';
import { AssetStorage } from './files/asset-storage.js';
import { Assets } from './assets.js';
import { ASSETS_OPTIONS, type AssetsOptions } from './files/assets.options.js';
import { PictureQueues } from './files/picture-queues.js';
import { UploadStore } from './files/upload-store.js';

@Module({})
export class AssetsModule {
  static forRoot(options: AssetsOptions): DynamicModule {
    return {
      module: AssetsModule,
      providers: [
        { provide: ASSETS_OPTIONS, useValue: options },
        AssetFiles,
        AssetPurge,
        Assets,
        AssetStorage,
        PictureQueues,
        UploadStore,
      ],
      exports: [AssetFiles, AssetPurge, Assets],
    };
  }
}
