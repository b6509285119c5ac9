import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findLastPosition } from './last-position.js';

describe('findLastPosition', () => {
  it('finds the end of a feed of any length', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), async (last) => {
        let requests = 0;
        const found = await findLastPosition((position) => {
          requests += 1;
          return Promise.resolve(position < last);
        });
        expect(found).toBe(last);
        expect(requests).toBeLessThan(40);
      }),
    );
  });
});
