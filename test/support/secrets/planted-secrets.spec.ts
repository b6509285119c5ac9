import { expect, it } from '@jest/globals';
import { PlantedSecrets } from './planted-secrets.js';

const SECRET = 'p"ä+/ss w?rd';
const encoded = (text: string, encoding: BufferEncoding) => Buffer.from(text).toString(encoding);

it.each([
  ['plain', SECRET],
  ['JSON', JSON.stringify({ secret: SECRET })],
  ['a URL', `https://example.com/?q=${encodeURIComponent(SECRET)}`],
  ['upper case', SECRET.toUpperCase()],
  ['hex', encoded(`x${SECRET}x`, 'hex')],
  ...(['base64', 'base64url'] as const).flatMap((encoding) =>
    ['', 'a', 'ab', 'abc'].map((prefix) => [
      `${encoding} after "${prefix}"`,
      encoded(`${prefix}${SECRET}:more`, encoding),
    ]),
  ),
])('finds a secret in %s', (_form, text) => {
  const secrets = new PlantedSecrets();
  secrets.addText('here', text);
  secrets.addText('there', 'password');
  secrets.plant('password', SECRET);
  expect(secrets.search()).toEqual(['here: password']);
  expect(secrets.search()).toEqual([]);
});
