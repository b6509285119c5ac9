import { format } from 'node:util';
import { describe, it, jest } from '@jest/globals';

/**
 * A test that bounds a time. If the test fails, it runs again with its hooks, twice at most: a busy machine exceeds each
 * bound now and then, and a defect exceeds the bound every time.
 */
export function itTimed(name: string, test: () => Promise<void>): void {
  describe(name, () => {
    jest.retryTimes(2, { entireDescribe: true, logErrorsBeforeRetry: true });
    it('in time', test);
  });
}

/** Like `it.each`: each row runs again by itself. */
itTimed.each =
  <Row extends readonly [unknown, ...unknown[]]>(rows: readonly Row[]) =>
  (name: string, test: (...row: Row) => Promise<void>): void => {
    for (const row of rows) itTimed(format(name, ...row), () => test(...row));
  };
