import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { generatedPage, METRICS_PAGE } from './generated-page.js';

it('docs/run/metrics.md has the metrics of the catalogue (else: npm run generate)', async () => {
  expect(await generatedPage()).toBe(await readFile(METRICS_PAGE, 'utf8'));
});
