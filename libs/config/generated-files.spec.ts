import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { generatedFiles } from './generated-files.js';

it('the files made from the variables are up to date (else: npm run generate)', async () => {
  for (const [path, text] of await generatedFiles()) {
    expect(await readFile(path, 'utf8')).toBe(text);
  }
});
