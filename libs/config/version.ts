import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

const packageJsonPath = findPackageJSON(import.meta.url);
if (packageJsonPath === undefined) throw new Error('There is no package.json above this program.');

/** The folder of package.json and the documentation. */
export const rootDirectory = dirname(packageJsonPath);

/** The version of Galley and of its API. */
export const { version } = JSON.parse(readFileSync(packageJsonPath, 'utf8')) as { version: string };
