import type { AttemptOutcome, AttemptStage } from '#client';
import { describe, expect, test } from '@jest/globals';
import { hasResult, outcomeOf, pollInterval, remainingPause } from './test-state.js';

const now = Date.parse('2026-11-24T23:00:00.000Z');
const attempt = (stage: AttemptStage | null, statusCode: number | null): AttemptOutcome => ({
  startedAt: new Date(now).toISOString(),
  durationMs: 5,
  stage,
  statusCode,
  error: stage,
});
const waiting = { status: 'pending', lastAttempt: null, nextAttemptAt: null } as const;
const refused = { ...waiting, lastAttempt: attempt('status', 500) };
const delivered = { ...waiting, status: 'delivered', lastAttempt: attempt(null, 204) } as const;

describe('A test event', () => {
  test('has a result after its first attempt', () => {
    expect(hasResult(waiting)).toBe(false);
    expect(hasResult(refused)).toBe(true);
    expect(hasResult({ ...waiting, status: 'cancelled' })).toBe(true);
  });

  test('is refused, not failed, if the receiver responded with an error', () => {
    expect(outcomeOf(delivered)).toBe('delivered');
    expect(outcomeOf(refused)).toBe('refused');
    expect(outcomeOf({ ...waiting, lastAttempt: attempt('connect', null) })).toBe('failed');
  });

  test('reports how long the webhook is still paused', () => {
    const nextAttemptAt = new Date(now + 25_000).toISOString();
    expect(remainingPause({ ...waiting, nextAttemptAt }, now)).toBe(25_000);
    expect(remainingPause({ ...waiting, nextAttemptAt }, now + 24_000)).toBe(0);
    expect(remainingPause(waiting, now)).toBe(0);
  });

  test('is polled until it is delivered or has failed', () => {
    expect(pollInterval(undefined)).toBe(500);
    expect(pollInterval(waiting)).toBe(500);
    expect(pollInterval(refused)).toBe(3_000);
    expect(pollInterval(delivered)).toBe(false);
  });
});
