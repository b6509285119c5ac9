import type { AttemptOutcome } from '#client';
import { describe, expect, it } from '@jest/globals';
import { shownStatusOf } from './shown-status.js';

const failure: AttemptOutcome = {
  startedAt: '2026-11-24T23:00:00.000Z',
  durationMs: 5,
  stage: 'connect',
  statusCode: null,
  error: 'the connection was refused (ECONNREFUSED)',
};

describe('The status that the page shows', () => {
  it('is retrying after a failed attempt, while the delivery is pending', () => {
    expect(shownStatusOf({ status: 'pending', lastAttempt: failure })).toBe('retrying');
  });

  it('is the status of the API otherwise', () => {
    expect(shownStatusOf({ status: 'pending', lastAttempt: null })).toBe('pending');
    expect(shownStatusOf({ status: 'failed', lastAttempt: failure })).toBe('failed');
    expect(shownStatusOf({ status: 'held', lastAttempt: failure })).toBe('held');
  });
});
