import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { environmentTable } from './environment-reference.js';
import * as groups from './variables.js';
import { generatedFiles } from './generated-files.js';

it('the files generated from the variables are up to date (else: npm run generate)', async () => {
  for (const [path, text] of await generatedFiles()) {
    expect(await readFile(path, 'utf8')).toBe(text);
  }
});

it('the configuration page contains the table of all variables', async () => {
  expect((await generatedFiles()).get('docs/run/configuration.md')).toContain(environmentTable());
});

// The names come from the declarations themselves, so the test fails if the generator misses a group.
it('.env.example and the configuration page contain every declared variable', async () => {
  const files = await generatedFiles();
  const names = Object.values(groups).flatMap((group) => Object.keys(group));
  expect(names).toEqual(expect.arrayContaining(['MAX_BODY_BYTES', 'TRASH_DAYS']));
  const missing = (pattern: (name: string) => RegExp, text = '') =>
    names.filter((name) => !pattern(name).test(text));
  expect(missing((name) => new RegExp(`^(# )?${name}=`, 'm'), files.get('.env.example'))).toEqual(
    [],
  );
  const page = files.get('docs/run/configuration.md');
  expect(missing((name) => new RegExp(`^\\| \`${name}\``, 'm'), page)).toEqual([]);
});
