import { findingsOn, type Finding } from '../finding.js';

const on = findingsOn('clock');

const TOLERABLE_MS = 2_000;
// The API tolerates 30 s of clock skew when it verifies tokens.
const MAX_OFFSET_MS = 30_000;

/** @param offset how far the other clock is ahead of this machine's clock, in milliseconds. */
export function checkClock(name: string, offset: number): Finding {
  const distance = Math.abs(offset);
  if (distance < TOLERABLE_MS) return on.ok(`The clocks of ${name} and this machine agree.`);
  const direction = offset > 0 ? 'ahead of' : 'behind';
  const text = `The clock of ${name} is ${Math.round(distance / 1_000)} s ${direction} the clock of this machine: synchronise both with NTP. Tokens, webhook signatures and schedules depend on the correct time.`;
  return distance < MAX_OFFSET_MS ? on.warning(text) : on.problem(text);
}
