import { readFileSync } from 'node:fs';

const module = { extension: '.js' };
// A test writes the client to another folder, to see whether this one is current.
const folder = process.env['CLIENT_FOLDER'] ?? 'libs/client';

/** @type {import('@hey-api/openapi-ts').UserConfig[]} */
export default [
  {
    input: 'openapi.json',
    output: { path: `${folder}/generated`, module },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: true },
      '@hey-api/typescript',
      // Every call names its client: one without would reach no Galley and send no token.
      { name: '@hey-api/sdk', client: false },
    ],
  },
  {
    input: asOpenApi('docs/schemas/document-1.json'),
    output: { path: `${folder}/document`, module },
    plugins: ['@hey-api/typescript'],
  },
];

/** OpenAPI 3.1 has the same JSON Schema, with the definitions in another place. */
function asOpenApi(path) {
  const json = readFileSync(path, 'utf8').replaceAll('#/$defs/', '#/components/schemas/');
  const info = { title: 'Documents', version: '1' };
  return { openapi: '3.1.0', info, paths: {}, components: { schemas: JSON.parse(json).$defs } };
}
