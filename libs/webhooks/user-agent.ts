import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

const file = findPackageJSON(import.meta.url);
if (file === undefined) throw new Error('There is no package.json above this program.');
const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };

export const USER_AGENT = `Galley/${version}`;
