/*
 * The last step of `npm run build`: compresses the files that the pages load, and writes them to
 * `dist/apps/api/pages/assets` under names that contain a hash. The API serves that folder (`assets.ts`).
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { rootDirectory } from '#config';
import { ASSETS_DIRECTORY, MANIFEST_PATH, type AssetName } from './assets.js';

const SOURCES: Record<Exclude<AssetName, 'scalar.js'>, string> = {
  'guides.css': 'apps/api/pages/browser/guides.css',
  'pages.css': 'apps/api/pages/browser/pages.css',
  'reference.css': 'apps/api/pages/browser/reference.css',
  'reference.js': 'dist/apps/api/pages/browser/reference.js',
};

// Quality 11 would make the compressed Scalar a tenth smaller, but compressing it would take ten seconds instead of
// one.
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

mkdirSync(ASSETS_DIRECTORY, { recursive: true });
const existing = new Set(readdirSync(ASSETS_DIRECTORY));
const manifest: Record<string, string> = {};

for (const [name, source] of Object.entries(SOURCES)) {
  const content = readFileSync(join(rootDirectory, source));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  await addAsset(name, hash, () => Promise.resolve(content));
}
await addAsset('scalar.js', scalarVersion(), readScalar);

const served = Object.values(manifest).flatMap((file) => [file, `${file}.br`, `${file}.gz`]);
for (const file of existing) {
  if (!served.includes(file)) rmSync(join(ASSETS_DIRECTORY, file));
}
writeFileSync(MANIFEST_PATH, JSON.stringify(manifest));

/** Does nothing if an earlier build has written the file, because compressing Scalar takes seconds. */
async function addAsset(name: string, hash: string, read: () => Promise<Buffer>): Promise<void> {
  const file = name.replace('.', `-${hash}.`);
  manifest[name] = file;
  if (existing.has(file)) return;
  const content = await read();
  const path = join(ASSETS_DIRECTORY, file);
  writeFileSync(`${path}.br`, brotliCompressSync(content, BROTLI_OPTIONS));
  writeFileSync(`${path}.gz`, gzipSync(content));
  // This file is written last: if a build is interrupted earlier, the next build writes all three again.
  writeFileSync(path, content);
}

function scalarVersion(): string {
  const path = findPackageJSON('@scalar/fastify-api-reference', import.meta.url) ?? '';
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  return version;
}

/**
 * Reads the bundle of `@scalar/api-reference` from Scalar's Fastify plugin, which has five dependencies. The package
 * itself has two hundred.
 */
async function readScalar(): Promise<Buffer> {
  const [{ default: Fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const fastify = Fastify();
  await fastify.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { rawPayload } = await fastify.inject('/docs/js/scalar.js');
  return rawPayload;
}
