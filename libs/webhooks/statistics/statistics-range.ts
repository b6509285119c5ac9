import { DomainError } from '#errors';

const STEP_SECONDS = {
  '5m': 5 * 60,
  '15m': 15 * 60,
  '1h': 60 * 60,
  '6h': 6 * 60 * 60,
  '1d': 24 * 60 * 60,
} as const;

export type StatisticsStep = keyof typeof STEP_SECONDS;
export const statisticsSteps = Object.keys(STEP_SECONDS) as StatisticsStep[];

// A chart with this many points is still readable, and the response is about 50 KB.
const MAX_STEPS = 400;
// The default step yields at most this many points, unless even the longest step yields more. Charts with fewer points
// are easier to read.
const PREFERRED_STEPS = 200;
const DEFAULT_RANGE_MS = 24 * 60 * 60 * 1000;

export interface StatisticsRequest {
  from?: Date;
  to?: Date;
  step?: StatisticsStep;
}

/**
 * A range of whole steps. Steps are aligned to multiples of their length since the Unix epoch, so days begin at
 * midnight UTC.
 */
export interface StatisticsRange {
  from: Date;
  to: Date;
  step: StatisticsStep;
}

export const stepSeconds = (step: StatisticsStep): number => STEP_SECONDS[step];

/**
 * Fills in the defaults of a request, and extends its range to whole steps.
 *
 * @throws DomainError `invalid` if the range is empty or has too many steps.
 */
export function resolveRange(request: StatisticsRequest, now = new Date()): StatisticsRange {
  const { to = now } = request;
  const { from = new Date(to.getTime() - DEFAULT_RANGE_MS) } = request;
  if (from >= to) throw DomainError.invalid('from', 'from must be before to');
  const step = request.step ?? chooseStep(from, to);
  const steps = countSteps(alignRange(from, to, step));
  if (steps > MAX_STEPS) {
    throw request.step === undefined
      ? DomainError.invalid('from', `from must be at most ${MAX_STEPS} days before to`)
      : DomainError.invalid(
          'step',
          `step must be longer: this range has ${steps} steps of ${step}, and at most ${MAX_STEPS} are returned`,
        );
  }
  return alignRange(from, to, step);
}

const chooseStep = (from: Date, to: Date): StatisticsStep =>
  statisticsSteps.find((step) => countSteps(alignRange(from, to, step)) <= PREFERRED_STEPS) ?? '1d';

function alignRange(from: Date, to: Date, step: StatisticsStep): StatisticsRange {
  const stepMs = STEP_SECONDS[step] * 1000;
  return {
    from: new Date(Math.floor(from.getTime() / stepMs) * stepMs),
    to: new Date(Math.ceil(to.getTime() / stepMs) * stepMs),
    step,
  };
}

const countSteps = ({ from, to, step }: StatisticsRange): number =>
  (to.getTime() - from.getTime()) / (STEP_SECONDS[step] * 1000);

/** Returns the time at which each step of the range begins. */
export const stepStarts = (range: StatisticsRange): Date[] =>
  Array.from(
    { length: countSteps(range) },
    (_, index) => new Date(range.from.getTime() + index * STEP_SECONDS[range.step] * 1000),
  );
