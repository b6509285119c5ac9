import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { generatedPage, METRICS_PAGE } from './generated-page.js';

it('docs/run/metrics.md matches the catalogue (otherwise, run npm run generate)', async () => {
  expect(await generatedPage()).toBe(await readFile(METRICS_PAGE, 'utf8'));
});
