// A test writes the client to another folder, to see whether this one is current.
const folder = process.env['CLIENT_FOLDER'] ?? 'libs/client';

/** @type {import('@hey-api/openapi-ts').UserConfig} */
export default {
  input: 'openapi.json',
  output: { path: `${folder}/generated`, module: { extension: '.js' } },
  plugins: [
    { name: '@hey-api/client-fetch', throwOnError: true },
    '@hey-api/typescript',
    // Every call names its client: one without would reach no Galley and send no token.
    { name: '@hey-api/sdk', client: false },
  ],
};
