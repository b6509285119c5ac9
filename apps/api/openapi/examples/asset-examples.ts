import { exampleIds } from './request-examples.js';
import { pageOf, timeAt } from './values.js';

const { workspace: workspaceId, asset: id, user } = exampleIds;

const urlOf = (digest: string, fileName: string) =>
  `https://galley.example.com/assets/${digest}/${fileName}`;

const asset = {
  id,
  name: 'Logo',
  workspaceId,
  tags: ['brand'],
  url: urlOf('2f1c0e5b9a7d4836f2e1c0b9a8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9', 'logo.png'),
  type: 'image/png',
  width: 2,
  height: 2,
  bytes: 73,
  createdAt: timeAt('41'),
  createdBy: user,
  updatedAt: timeAt('41'),
  updatedBy: user,
  deletedAt: null,
  expiresAt: null,
};
const renamed = {
  ...asset,
  name: 'Logo, spring',
  tags: ['brand', 'spring'],
  updatedAt: timeAt('42'),
};
const replaced = {
  ...renamed,
  url: urlOf('9d0c1b2a3f4e5d6c7b8a9f0e1d2c3b4a5f6e7d8c9b0a1f2e6384d7a9b5e0c1f2', 'spring.png'),
  updatedAt: timeAt('43'),
};

/** The responses about pictures, by `operationId`. */
export const assetExamples: Record<string, object> = {
  uploadAsset: asset,
  getAsset: asset,
  listAssets: pageOf(asset),
  listAssetUsages: pageOf(),
  getStorageUsage: {
    files: 1,
    bytes: 73,
    maxFiles: 10_000,
    maxBytes: 1_073_741_824,
    maxFileBytes: 10_485_760,
  },
  updateAsset: renamed,
  replaceAsset: replaced,
  restoreAsset: { ...replaced, updatedAt: timeAt('44') },
};
