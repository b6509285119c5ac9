/*
 * Builds the settings area into dist/apps/settings, with compressed copies of its files. If no source file has changed
 * since the last build, the script ends within milliseconds and builds nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';

const rootDirectory = join(import.meta.dirname, '../..');
const outputDirectory = join(rootDirectory, 'dist/apps/settings');
const fingerprintFile = join(rootDirectory, 'dist/apps/settings.fingerprint');
const SOURCES = ['apps/settings/**/*.*', 'libs/client/**/*.ts', 'package-lock.json'];
const COMPRESSIBLE = ['.js', '.css', '.svg'];

const fingerprint = computeFingerprint();
if (!existsSync(fingerprintFile) || readFileSync(fingerprintFile, 'utf8') !== fingerprint) {
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' });
  await compressAssets();
  writeFileSync(fingerprintFile, fingerprint);
}

/**
 * Hashes the contents of the source files. Modification times are unreliable, because a new Git checkout also changes
 * the times of unchanged files.
 */
function computeFingerprint(): string {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: rootDirectory }).sort()) {
    hash.update(`${path}\0`).update(readFileSync(join(rootDirectory, path)));
  }
  return hash.digest('hex');
}

async function compressAssets(): Promise<void> {
  const assets = globSync('assets/*', { cwd: outputDirectory }).filter((path) =>
    COMPRESSIBLE.includes(extname(path)),
  );
  await Promise.all(
    assets.map(async (path) => {
      const file = join(outputDirectory, path);
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(content));
      writeFileSync(`${file}.gz`, await promisify(gzip)(content));
    }),
  );
}
