import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

const packageJsonPath = findPackageJSON(import.meta.url);
if (packageJsonPath === undefined) throw new Error('There is no package.json above this program.');

/** The folder that contains package.json and the documentation. */
export const rootDirectory = dirname(packageJsonPath);

/** The version of Galley and of its API. */
export const { version } = JSON.parse(readFileSync(packageJsonPath, 'utf8')) as { version: string };

/** The commit that was built, as `write-commit.ts` found it; undefined if the build did not know it. */
export const commit = readCommit();

/** The version and the commit, such as 0.1.0+840479ac12. The commit distinguishes builds of the same version. */
export const build = commit === undefined ? version : `${version}+${commit}`;

function readCommit(): string | undefined {
  try {
    return readFileSync(join(rootDirectory, 'dist/commit'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
