import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { previewDocument } from './openapi-preview.js';

it('documents rate-limit headers for operations whose requests are counted', async () => {
  const { paths } = await previewDocument();
  for (const [path, { get }] of Object.entries(paths)) {
    const headers = (get?.responses['200'] as { headers: object } | undefined)?.headers;
    if (headers)
      expect([path, 'RateLimit' in headers]).toEqual([path, !path.startsWith('/health')]);
  }
  expect(JSON.stringify(paths['/health/ready'])).not.toContain('components/responses');
});

it('openapi.json is up to date (otherwise, run npm run generate)', async () => {
  const committed: unknown = JSON.parse(await readFile('openapi.json', 'utf8'));
  expect(committed).toEqual(await previewDocument());
});
