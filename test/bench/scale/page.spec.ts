import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { MARGIN, paceRatio } from './model.js';
import { filesOf, readResults, withSections } from './page.js';

it('docs/run/scaling.md and its chart follow from results.json (else: npm run generate)', async () => {
  for (const [path, text] of await filesOf(await readResults())) {
    if (process.env['GENERATE']) await writeFile(path, text);
    expect(await readFile(path, 'utf8')).toBe(text);
  }
});

it('the model predicts the throughput of workers that keep pace', async () => {
  const { check } = await readResults();
  expect(Math.abs(paceRatio(check) - 1)).toBeLessThan(MARGIN);
});

it('replaces only what is between the markers', () => {
  const page = 'Before.\n\n<!-- scale:costs -->\nold\n<!-- /scale:costs -->\n\nAfter.';
  expect(withSections(page, { costs: 'new' })).toBe(
    'Before.\n\n<!-- scale:costs -->\n\nnew\n\n<!-- /scale:costs -->\n\nAfter.',
  );
  expect(() => withSections(page, { limits: 'new' })).toThrow('no markers for limits');
});
