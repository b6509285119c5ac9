import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { defects } from './defects.ts';

it('each defect can be planted, and its tests exist', () => {
  const broken = defects.filter(
    ({ file, text, tests }) =>
      readFileSync(file, 'utf8').split(text).length !== 2 || !tests.every(existsSync),
  );
  expect(broken.map(({ name }) => name)).toEqual([]);
});
