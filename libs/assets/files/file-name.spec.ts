import { expect, it } from '@jest/globals';
import { fileNameOf } from './file-name.js';

it.each([
  ['Logo', 'logo.png'],
  ['Crème Brûlée (final).JPG', 'creme-brulee-final.png'],
  ['../../etc/passwd', 'etc-passwd.png'],
  ['日本語', 'picture.png'],
  ['a"><script>.svg', 'a-script.png'],
  ['x'.repeat(100), `${'x'.repeat(60)}.png`],
])('the name %s becomes %s', (name, expected) => {
  expect(fileNameOf(name, 'image/png')).toBe(expected);
});
