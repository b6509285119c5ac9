import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { serializeJson } from '../json/json-serializer.js';
import { toJsonInSlices } from './json-in-slices.js';

it('serialises long strings exactly like JSON.stringify', async () => {
  const unit = fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', '\ud83d', '\ude00', '漢', '\u0001');
  const text = fc
    .tuple(fc.array(unit, { minLength: 1, maxLength: 20 }), fc.nat(3))
    .map(([units, offset]) => 'x'.repeat(offset) + units.join('').repeat(20_000 / units.length));
  await fc.assert(
    fc.asyncProperty(text, async (html) => {
      const response = { html, text: 'short', warnings: [{ message: html.slice(0, 9) }] };
      const json = serializeJson(await toJsonInSlices(response));
      expect(json.toString()).toBe(JSON.stringify(response));
    }),
  );
});
