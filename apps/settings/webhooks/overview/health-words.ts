import type { HealthReport, WebhookStatus } from '#client';
import { words } from './texts.js';

export type HealthTone = 'good' | 'waiting' | 'bad' | 'off';

/** The health of a webhook in words: the current state, and what happens next. */
export interface HealthWords {
  tone: HealthTone;
  headline: string;
  sentences: string[];
}

const { health: healthTexts } = words;
// Galley counts pending and held deliveries only up to this number.
const MAX_COUNT = 1_000;

const clockFormat = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23' });
const clockFormatWithSeconds = new Intl.DateTimeFormat('en', {
  timeStyle: 'medium',
  hourCycle: 'h23',
});
const dateFormat = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
});
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Formats a time: with seconds if it is close to `now`, and with the date if it is far away. */
export function formatClock(time: string, now: Date): string {
  const date = new Date(time);
  const distance = Math.abs(date.getTime() - now.getTime());
  if (distance < 2 * MINUTE_MS) return clockFormatWithSeconds.format(date);
  return (distance < DAY_MS / 2 ? clockFormat : dateFormat).format(date);
}

export function describeHealth(
  status: WebhookStatus,
  report: HealthReport,
  now: Date,
): HealthWords {
  if (status === 'disabled') return describeDisabled(report);
  const { pausedUntil, consecutiveFailures } = report;
  const isPaused = pausedUntil !== null && new Date(pausedUntil) > now;
  if (isPaused) return describePause(report, formatClock(pausedUntil, now));
  if (status === 'failing') {
    return {
      tone: 'bad',
      headline: healthTexts.failing(consecutiveFailures),
      sentences: [healthTexts.oneAtATime, ...describeWaiting(report, now)],
    };
  }
  if (consecutiveFailures > 0) {
    return {
      tone: 'waiting',
      headline: healthTexts.someFailures(consecutiveFailures),
      sentences: describeWaiting(report, now),
    };
  }
  const headline = report.health === 'unproven' ? healthTexts.unproven : healthTexts.healthy;
  return { tone: 'good', headline, sentences: describeWaiting(report, now) };
}

/** Whether deliveries are waiting for a retry. If so, the user can send them as soon as the receiver works again. */
export const canSendAllNow = (
  { pending, consecutiveFailures, nextAttemptAt }: HealthReport,
  now: Date,
): boolean =>
  pending > 0 && consecutiveFailures > 0 && nextAttemptAt !== null && new Date(nextAttemptAt) > now;

/** Whether deliveries are pending, and their next attempts are due or in flight. */
export const isDue = ({ pending, nextAttemptAt }: HealthReport, now: Date): boolean =>
  pending > 0 && (nextAttemptAt === null || new Date(nextAttemptAt) <= now);

function describeDisabled({ held }: HealthReport): HealthWords {
  return {
    tone: 'off',
    headline: healthTexts.disabled,
    sentences: [
      held === 0 ? healthTexts.nothingHeld : healthTexts.held(formatCount(held), held === 1),
    ],
  };
}

function describePause(report: HealthReport, until: string): HealthWords {
  const { pauseReason, consecutiveFailures, pending } = report;
  const waiting = pending > 0 ? [healthTexts.pending(formatCount(pending), pending === 1)] : [];
  return pauseReason === 'retry-after'
    ? {
        tone: 'waiting',
        headline: healthTexts.pausedByReceiver(until),
        sentences: [healthTexts.afterPauseByReceiver, ...waiting],
      }
    : {
        tone: 'bad',
        headline: healthTexts.pausedByFailures(until, consecutiveFailures),
        sentences: [healthTexts.afterPause, ...waiting],
      };
}

function describeWaiting({ pending, nextAttemptAt }: HealthReport, now: Date): string[] {
  if (pending === 0) return [healthTexts.nothingPending];
  const count = healthTexts.pending(formatCount(pending), pending === 1);
  if (nextAttemptAt === null || new Date(nextAttemptAt) <= now) return [count];
  return [count, healthTexts.nextAttempt(formatClock(nextAttemptAt, now))];
}

const formatCount = (count: number): string =>
  count >= MAX_COUNT ? healthTexts.atLeast(MAX_COUNT.toLocaleString('en')) : String(count);
