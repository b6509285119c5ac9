import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { rootDirectory } from '#config';
import type { FastifyInstance } from 'fastify';

// `build-assets.ts` writes this folder and its manifest.
export const ASSETS_DIRECTORY = join(rootDirectory, 'dist/apps/api/pages/assets');
export const MANIFEST_PATH = `${ASSETS_DIRECTORY}.json`;

const ASSETS_PATH = '/docs/assets/';

export type AssetName = 'guides.css' | 'pages.css' | 'reference.css' | 'reference.js' | 'scalar.js';

/** The file name of each asset, which contains a hash or a version. */
export type Manifest = Record<AssetName, string>;

/** Serves `/docs/assets`: the scripts and styles of the pages. */
export class Assets {
  private readonly manifest = JSON.parse(readFileSync(MANIFEST_PATH, 'utf8')) as Manifest;

  urlOf(name: AssetName): string {
    return ASSETS_PATH + this.manifest[name];
  }

  serve(fastify: FastifyInstance): void {
    void fastify.register(fastifyStatic, {
      root: ASSETS_DIRECTORY,
      prefix: ASSETS_PATH,
      wildcard: false,
      preCompressed: true,
      decorateReply: false,
      // A file never changes, because its name contains a hash of its content or a version.
      immutable: true,
      maxAge: '365d',
    });
  }
}
