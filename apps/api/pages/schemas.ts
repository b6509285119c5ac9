import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootDirectory } from '#config';
import type { FastifyInstance } from 'fastify';
import { StaticDocument } from './static-document.js';

export const SCHEMA_PATH = '/schemas/document-1.json';

/** Serves the JSON Schema of documents, which editors load. `npm run generate` writes the file. */
export function serveSchemas(fastify: FastifyInstance): void {
  let schema: StaticDocument | undefined;
  fastify.get(SCHEMA_PATH, (request, reply) => {
    schema ??= new StaticDocument('application/schema+json; charset=utf-8', readSchema());
    return schema.send(request, reply);
  });
}

/** Removes the white space, which makes up half of the file. */
const readSchema = (): string =>
  JSON.stringify(JSON.parse(readFileSync(join(rootDirectory, `docs${SCHEMA_PATH}`), 'utf8')));
