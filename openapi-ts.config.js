/** @type {import('@hey-api/openapi-ts').UserConfig} */
export default {
  input: 'openapi.json',
  output: { path: 'libs/client/generated', module: { extension: '.js' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
};
