import { describe, expect, it } from '@jest/globals';
import type { DeliveryStatus } from '#client';
import { describeState } from './delivery-state.js';

const now = Date.parse('2026-11-24T23:00:00.000Z');
const describeAt = (status: DeliveryStatus, attempts: number, wait: number | null = null) =>
  describeState(
    { status, attempts, nextAttemptAt: wait === null ? null : new Date(now + wait).toISOString() },
    now,
  );

describe('describeState', () => {
  it('says when the next attempt starts', () => {
    expect(describeAt('pending', 2, 300_000)).toBe(
      'Attempt 3 of 10 starts in 5 minutes, or later if Galley pauses the webhook because other attempts fail.',
    );
  });

  it('does not number the attempts beyond the schedule', () => {
    expect(describeAt('pending', 11, 5_000)).toBe('The next attempt starts in 5 seconds.');
  });

  it('explains why a delivery has no scheduled attempt', () => {
    expect(describeAt('pending', 0)).toContain('waits for an earlier delivery');
  });

  it('distinguishes a first attempt from a retry that is due', () => {
    expect(describeAt('pending', 0, -1)).toBe('The first attempt starts now.');
    expect(describeAt('pending', 1, -1)).toContain('due now');
  });

  it('says which attempt succeeded', () => {
    expect(describeAt('delivered', 3)).toBe('The receiver accepted the event on attempt 3.');
  });

  it.each(['held', 'failed', 'cancelled'] as const)('gives advice on %s deliveries', (status) => {
    expect(describeAt(status, 1)).toMatch(/enable|send/i);
  });
});
