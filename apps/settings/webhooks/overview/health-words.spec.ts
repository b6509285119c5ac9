import type { HealthReport } from '#client';
import { describe, expect, test } from '@jest/globals';
import { canSendAllNow, describeHealth, formatClock, isDue } from './health-words.js';

const now = new Date(2026, 10, 24, 14, 0, 0);
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();

const calm: HealthReport = {
  health: 'healthy',
  consecutiveFailures: 0,
  failingSince: null,
  pausedUntil: null,
  pauseReason: null,
  inFlight: 0,
  concurrency: 10,
  pending: 0,
  held: 0,
  nextAttemptAt: null,
  lastFailure: null,
};

describe('The health of a webhook in words', () => {
  test('says why the webhook is paused, and when the pause ends', () => {
    const report: HealthReport = {
      ...calm,
      health: 'failing',
      consecutiveFailures: 7,
      pausedUntil: inMinutes(3),
      pauseReason: 'circuit-breaker',
      pending: 1,
    };
    expect(describeHealth('failing', report, now)).toEqual({
      tone: 'bad',
      headline: 'Paused until 14:03 because 7 consecutive attempts failed.',
      sentences: [
        'Then Galley makes one attempt. If it succeeds, all deliveries continue.',
        '1 delivery is waiting.',
      ],
    });
  });

  test('says that the receiver asked for the pause', () => {
    const report: HealthReport = {
      ...calm,
      pausedUntil: inMinutes(1),
      pauseReason: 'retry-after',
    };
    expect(describeHealth('active', report, now).headline).toBe(
      'Paused until 14:01:00 because your receiver asked Galley to wait (Retry-After).',
    );
  });

  test('says when the next attempt is due', () => {
    const report = { ...calm, pending: 1_000, nextAttemptAt: inMinutes(30) };
    expect(describeHealth('active', report, now)).toEqual({
      tone: 'good',
      headline: 'The last attempt succeeded.',
      sentences: ['1,000 or more deliveries are waiting.', 'The next attempt is at 14:30.'],
    });
  });

  test('explains the slower pace only if the webhook is failing', () => {
    const report: HealthReport = { ...calm, health: 'failing', consecutiveFailures: 2 };
    expect(describeHealth('active', report, now).sentences).toEqual(['No deliveries are waiting.']);
    expect(describeHealth('failing', report, now).sentences).toContain(
      'Galley makes one attempt at a time, with pauses in between, until an attempt succeeds.',
    );
  });

  test('offers to send now while deliveries are waiting after failures', () => {
    const report = {
      ...calm,
      consecutiveFailures: 1,
      pending: 1,
      nextAttemptAt: inMinutes(5),
    };
    expect(canSendAllNow(report, now)).toBe(true);
    expect(canSendAllNow({ ...report, consecutiveFailures: 0 }, now)).toBe(false);
    expect(canSendAllNow({ ...report, pending: 0 }, now)).toBe(false);
    expect(canSendAllNow({ ...report, nextAttemptAt: inMinutes(0) }, now)).toBe(false);
  });

  test('detects that attempts are due', () => {
    const report = { ...calm, pending: 1 };
    expect(isDue({ ...report, nextAttemptAt: inMinutes(0) }, now)).toBe(true);
    expect(isDue(report, now)).toBe(true);
    expect(isDue({ ...report, nextAttemptAt: inMinutes(5) }, now)).toBe(false);
    expect(isDue(calm, now)).toBe(false);
  });

  test('ignores a pause that has ended', () => {
    const report: HealthReport = {
      ...calm,
      health: 'failing',
      consecutiveFailures: 6,
      pausedUntil: inMinutes(-1),
    };
    expect(describeHealth('failing', report, now).headline).toBe('6 consecutive attempts failed.');
  });

  test('says how many deliveries are held while the webhook is disabled', () => {
    expect(describeHealth('disabled', { ...calm, held: 12 }, now)).toMatchObject({
      tone: 'off',
      sentences: [
        'Galley holds 12 deliveries. When you enable the webhook, you decide whether Galley sends or discards them.',
      ],
    });
  });
});

test('A distant time is formatted with its date', () => {
  expect(formatClock(inMinutes(24 * 60), now)).toBe('Nov 25, 2026, 14:00');
});
