/* Writes docs/schemas/document-1.json, the schema that the API serves. `npm run generate` runs this file. */
import { writeFile } from 'node:fs/promises';
import { documentSchema } from './schema/index.js';

const json = JSON.stringify(documentSchema(), null, 2);
await writeFile('docs/schemas/document-1.json', `${json}\n`);
