import { applyDecorators } from '@nestjs/common';
import { DomainError } from '#errors';
import { Transform } from 'class-transformer';
import {
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { isStorable } from './json-body.js';

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;
const LIMIT = `limit must be a whole number from 1 to ${MAX_PAGE}`;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isId = (text: string): boolean => UUID.test(text);

/** A property rule that answers with the sentence that `problem` gives, or accepts. */
export const check = (name: string, problem: (value: unknown) => string | undefined) =>
  ValidateBy({
    name,
    validator: {
      validate: (value) => problem(value) === undefined,
      defaultMessage: (args) => `${args?.property ?? ''} ${problem(args?.value) ?? ''}`,
    },
  });

/** Characters as people count them: a pair of surrogates is one. */
const lengthOf = (text: string): number => Array.from(text).length;

function problemOfText(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  // Counting characters takes time, and is only needed where the number of code units leaves a doubt.
  if (value.length > max && (value.length > 2 * max || lengthOf(value) > max)) {
    return `must be at most ${max} characters long`;
  }
  return isStorable(value) ? undefined : 'must not hold NUL or half of a surrogate pair';
}

/** A text of at most `max` characters. */
export const IsText = (max: number) => check('isText', (value) => problemOfText(value, max));

/** The display name of a resource: 1 to 255 characters after trimming. */
export const IsName = () =>
  check('isName', (value) => {
    if (typeof value !== 'string') return 'must be a string';
    const name = value.trim();
    return name === '' ? 'must not be empty' : problemOfText(name, 255);
  });

/** The id of another resource. A malformed one is that of nothing, as it is in a path. */
export const IsIdOf = (what: string) =>
  check('isId', (value) => {
    if (typeof value !== 'string') return 'must be a string';
    if (!isId(value)) throw DomainError.notFound(what);
    return undefined;
  });

// RFC 3339, so that nobody has to guess a time zone.
const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
const EARLIEST = Date.parse('2020-01-01T00:00:00Z');
const LATEST = Date.parse('2100-01-01T00:00:00Z');

export function problemOfTime(value: unknown): string | undefined {
  const [, day] = (typeof value === 'string' && TIME.exec(value)) || [];
  // Date.parse takes February 30 for March 2.
  const midnight = new Date(day ?? NaN);
  const isDay = midnight.getTime() > 0 && midnight.toISOString().slice(0, 10) === day;
  const time = isDay ? Date.parse(value as string) : NaN;
  return time >= EARLIEST && time < LATEST
    ? undefined
    : 'must be a time such as 2026-11-21T09:30:00Z';
}

/** A time of RFC 3339, between 2020 and 2100. */
export const IsTime = () => check('isTime', problemOfTime);

/** How many of a list a caller wants. */
export const IsLimit = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value,
    ),
    IsInt({ message: LIMIT }),
    Min(1, { message: LIMIT }),
    Max(MAX_PAGE, { message: LIMIT }),
  );

/** What every list takes. */
export class PageQuery {
  @IsLimit()
  limit: number = DEFAULT_PAGE;

  @IsOptional()
  @IsString({ message: 'cursor must be the nextCursor of this same list' })
  cursor?: string;
}

/** `true` or `false` in a query. */
export const IsFlag = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    IsBoolean({ message: '$property must be true or false' }),
  );

/** A field that may be left out. Unlike class-validator's IsOptional it does not let null pass. */
export const IfGiven = () => ValidateIf((_dto, value) => value !== undefined);
