import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { environmentTable } from './environment-reference.js';
import { generatedFiles } from './generated-files.js';

it('the files generated from the variables are up to date (else: npm run generate)', async () => {
  for (const [path, text] of await generatedFiles()) {
    expect(await readFile(path, 'utf8')).toBe(text);
  }
});

it('the configuration page has the table of all variables', async () => {
  expect((await generatedFiles()).get('docs/configuration.md')).toContain(environmentTable());
});
