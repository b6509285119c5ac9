import { writeFile } from 'node:fs/promises';
import { previewDocument } from './openapi-preview.js';

await writeFile('openapi.json', `${JSON.stringify(await previewDocument(), null, 2)}\n`);
