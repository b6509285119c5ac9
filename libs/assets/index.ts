/*
 * Stores the pictures of workspaces and serves them to mail clients. `storage` keeps files in a folder or in a bucket
 * of S3. `pictures` identifies, cleans and resizes them. PostgreSQL knows which pictures there are, and which documents
 * refer to them; `docs/adr/0044` says how the two stay in step.
 */
export type { Asset } from './asset.js';
export { ASSETS_PATH } from './asset.js';
export { AssetFiles } from './files/asset-files.js';
export { AssetPurge } from './asset-purge.js';
export type { AssetUsage } from './asset-usages.js';
export { Assets, type StorageUsage } from './assets.js';
export { AssetsModule } from './assets.module.js';
export { pictureTypes, type PictureType } from './pictures/picture.js';
export { widths } from './pictures/resize.js';
export type { Upload, UploadFields } from './files/upload-store.js';
