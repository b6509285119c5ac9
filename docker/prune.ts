/*
 * Makes node_modules of each image: the files that its programs import, and no others, with the licences of their
 * packages and an SBOM.
 *   node docker/prune.ts FOLDER
 * writes FOLDER/<image>/node_modules and FOLDER/<image>/sbom.cdx.json, for the dist of this checkout.
 */
import { copyFile, glob, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { productionPackages, writeSbom } from './sbom.ts';

// The threads that render, whose files the renderer names only while it runs.
const THREADS = ['drawing/compile', 'checks/check', 'conversion/convert'].map(
  (path) => `libs/rendering/${path}`,
);
/** The programs of each image, in dist. */
const IMAGES = {
  api: ['apps/api/main', 'apps/doctor/main', ...THREADS],
  worker: ['apps/worker/main', 'apps/doctor/main', ...THREADS],
  migrate: ['apps/migrate/main', 'apps/doctor/main'],
  maintenance: ['admin', 'backup', 'restore', 'erase-user', 'workspace'].map(
    (name) => `apps/maintenance/${name}`,
  ),
};
// cosmiconfig, which htmlnano of mjml uses, loads it for configuration files in TypeScript: Galley has none.
const NEVER_LOADED = 'node_modules/typescript';
const LICENCES = '{LICEN[CS]E,COPYING,NOTICE,licen[cs]e}*';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder for the images.');
const production = await productionPackages();
// Most files are in more than one image, and are parsed once.
const cache = {};

for (const [image, programs] of Object.entries(IMAGES)) {
  const output = join(folder, image);
  const { fileList } = await nodeFileTrace(
    programs.map((program) => `dist/${program}.js`),
    { base: process.cwd(), conditions: ['node', 'import'], cache, ignore: isLeftOut },
  );
  const files = [...fileList].filter((path) => path.startsWith('node_modules/'));
  const packages = new Set(files.map(packageOf));
  for (const path of packages) {
    for await (const licence of glob(join(path, LICENCES))) files.push(licence);
  }
  for (const path of files) {
    await mkdir(dirname(join(output, path)), { recursive: true });
    await copyFile(path, join(output, path));
  }
  const count = await writeSbom(join(output, 'sbom.cdx.json'), packages);
  process.stdout.write(`${image}: ${files.length} files of ${count} packages.\n`);
}

/** Optional imports find nothing that only development has installed. */
function isLeftOut(path: string): boolean {
  const owner = packageOf(path);
  return path.startsWith('node_modules/') && (!production.has(owner) || owner === NEVER_LOADED);
}

/** The folder of the package that a file belongs to. */
function packageOf(path: string): string {
  return /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
}
