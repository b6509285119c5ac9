import { jest } from '@jest/globals';

/**
 * Runs a failed test of this file again, twice at most. This is for files whose tests bound a time, since a
 * busy machine exceeds each bound now and then, and a defect exceeds the bound every time.
 */
export function measureAgain(): void {
  jest.retryTimes(2, { logErrorsBeforeRetry: true });
}
