import { expect, it } from '@jest/globals';
import { linksTo } from '#tracing';

it('links to each sampled span once', () => {
  const traceId = 'a'.repeat(32);
  const spanId = 'b'.repeat(16);
  const sampled = `00-${traceId}-${spanId}-01`;
  const notSampled = `00-${traceId}-${spanId}-00`;
  expect(linksTo([sampled, notSampled, null, undefined, sampled])).toEqual([
    { context: { traceId, spanId, traceFlags: 1 } },
  ]);
});
