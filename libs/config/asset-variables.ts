import { url } from 'envalid';
import {
  bodyBytes,
  integerBetween,
  positiveInteger,
  storageLocation,
} from './validators/validators.js';

// The worker deletes the files of deleted pictures, so it needs the storage too.
export const assetStorage = {
  ASSETS_STORAGE: storageLocation({
    default: undefined,
    desc: 'where pictures are stored: the absolute path of a folder that the API and the worker share, or a bucket such as s3://key:secret@s3.eu-central-1.amazonaws.com/bucket/prefix?region=eu-central-1; s3+http:// without TLS; if unset, there are no pictures',
    example: '/var/lib/galley/assets',
  }),
};

export const assets = {
  ASSETS_URL: url({
    default: undefined,
    desc: 'URL of a CDN or proxy that loads /assets/ from the API, for the URLs of pictures; if unset, PUBLIC_URL; one of the two is required if ASSETS_STORAGE is set',
    example: 'https://pictures.example.com',
  }),
  MAX_ASSET_BYTES: bodyBytes({
    default: 10 * 1024 * 1024,
    desc: 'maximum size of a picture in bytes, from 1024 to 104857600',
  }),
  MAX_ASSETS: positiveInteger({
    default: 10_000,
    desc: 'maximum number of pictures of a workspace, including deleted ones that can be restored',
  }),
  MAX_ASSETS_BYTES: integerBetween(
    1024,
    999_999_999_999,
  )({
    default: 1024 ** 3,
    desc: 'maximum size of all pictures of a workspace in bytes, including deleted ones that can be restored',
  }),
};
