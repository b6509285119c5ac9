import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { parseTime } from '#database';
import { fieldRule, Optional, READ_ONLY } from './fields.js';

const RANGE_DESCRIPTION =
  'The format is RFC 3339, and the year must be from 2020 to 2099. Galley ignores fractions of a millisecond.';

const findTimeProblem = (value: unknown): string | undefined =>
  parseTime(value) === undefined
    ? 'must be a time such as 2026-11-21T09:30:00Z, from 2020 to 2099'
    : undefined;

const schemaOf = (description: string) =>
  ({
    type: String,
    format: 'date-time',
    description: `${description} ${RANGE_DESCRIPTION}`,
  }) as const;

/** An RFC 3339 time from 2020 to 2099. */
export const IsTime = (description: string) =>
  fieldRule('isTime', findTimeProblem, schemaOf(description));

/** A time in a query. The rule converts it to a Date. */
export const IsQueryTime = (description: string) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => parseTime(value) ?? value),
    fieldRule(
      'isTime',
      (value) => (value instanceof Date ? undefined : findTimeProblem(value)),
      schemaOf(description),
    ),
  );

/** The time at which something ends, or null if it has no end. */
export const IsTimeOrNull = (description: string) =>
  fieldRule(
    'isTimeOrNull',
    (value) =>
      value === null || findTimeProblem(value) === undefined
        ? undefined
        : 'must be null, or a time in the future and before the year 2100, such as 2027-11-21T09:30:00Z',
    { ...schemaOf(description), nullable: true },
  );

/** A read-only time. Clients may send it back in any format that RFC 3339 allows. */
export const ReadOnlyTime = () =>
  applyDecorators(
    Optional(),
    fieldRule('isTime', findTimeProblem, { type: String, format: 'date-time', ...READ_ONLY }),
  );
