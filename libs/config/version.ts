import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

const file = findPackageJSON(import.meta.url);
if (file === undefined) throw new Error('There is no package.json above this program.');

/** Where package.json is, and with it the documentation. */
export const rootDirectory = dirname(file);

/** Of Galley, and of its API. */
export const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
