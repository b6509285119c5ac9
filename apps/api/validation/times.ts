import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { fieldRule, Optional, READ_ONLY } from './fields.js';

// RFC 3339, so that the time zone is always explicit.
const RFC_3339_TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const EARLIEST = Date.parse('2020-01-01T00:00:00Z');
const LATEST = Date.parse('2100-01-01T00:00:00Z');
const RANGE_DESCRIPTION = 'A time in RFC 3339 format, from 2020 to 2099, in whole milliseconds.';

function findTimeProblem(value: unknown): string | undefined {
  const [, date] = (typeof value === 'string' && RFC_3339_TIME.exec(value)) || [];
  // Date.parse reads February 30 as March 2.
  const midnight = new Date(date ?? NaN);
  const isDay = midnight.getTime() > 0 && midnight.toISOString().slice(0, 10) === date;
  const time = isDay ? Date.parse(value as string) : NaN;
  return time >= EARLIEST && time < LATEST
    ? undefined
    : 'must be a time such as 2026-11-21T09:30:00Z, from 2020 to 2099';
}

const schemaOf = (description: string) =>
  ({
    type: String,
    format: 'date-time',
    description: `${description} ${RANGE_DESCRIPTION}`,
  }) as const;

/** A time of RFC 3339, from 2020 to 2099. */
export const IsTime = (description: string) =>
  fieldRule('isTime', findTimeProblem, schemaOf(description));

/** The same in a query, as a Date. */
export const IsQueryTime = (description: string) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      findTimeProblem(value) === undefined ? new Date(value as string) : value,
    ),
    fieldRule(
      'isTime',
      (value) => (value instanceof Date ? undefined : findTimeProblem(value)),
      schemaOf(description),
    ),
  );

/** A time, or null for no end. */
export const IsTimeOrNull = (description: string) =>
  fieldRule(
    'isTimeOrNull',
    (value) =>
      value === null || findTimeProblem(value) === undefined
        ? undefined
        : 'must be a time to come, before the year 2100, such as 2027-11-21T09:30:00Z; or null for none',
    { ...schemaOf(description), nullable: true },
  );

/** A read-only time, which may be sent back in any spelling. */
export const ReadOnlyTime = () =>
  applyDecorators(
    Optional(),
    fieldRule('isTime', findTimeProblem, { type: String, format: 'date-time', ...READ_ONLY }),
  );
