/* Writes the schema that the API serves. Run it with `npm run generate`. */
import { writeFile } from 'node:fs/promises';
import { documentSchema } from './schema/index.js';

const json = JSON.stringify(documentSchema(), null, 2);
await writeFile('docs/schemas/document-1.json', `${json}\n`);
