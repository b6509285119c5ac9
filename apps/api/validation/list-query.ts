import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Sort } from '#documents';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { fieldRule, Optional, IsOneOf, MAX_NAME_LENGTH, findTextProblem } from './fields.js';
import { IsQueryTime } from './times.js';

const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 50;
const INVALID_LIMIT_MESSAGE = `limit must be a whole number from 1 to ${MAX_PAGE_SIZE}`;

/** A text to search for in names. */
export const IsSearch = () =>
  fieldRule('isText', (value) => findTextProblem(value, MAX_NAME_LENGTH), {
    type: String,
    maxLength: MAX_NAME_LENGTH,
    description: 'Only items whose name contains this text, regardless of case.',
  });

export const IsLimit = (defaultLimit: number) =>
  applyDecorators(
    ApiProperty({
      type: 'integer',
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: defaultLimit,
      required: false,
      description: 'The maximum number of items in the page.',
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value,
    ),
    IsInt({ message: INVALID_LIMIT_MESSAGE }),
    Min(1, { message: INVALID_LIMIT_MESSAGE }),
    Max(MAX_PAGE_SIZE, { message: INVALID_LIMIT_MESSAGE }),
  );

/** The parameters of every list. */
export class PageQuery {
  @IsLimit(DEFAULT_PAGE_SIZE)
  limit: number = DEFAULT_PAGE_SIZE;

  @ApiProperty({
    required: false,
    description: 'The `nextCursor` of the previous page.',
  })
  @IsOptional()
  @IsString({ message: 'cursor must be the nextCursor of the same list' })
  cursor?: string;
}

/** A boolean in a query, where it is the string `true` or `false`. */
export const IsQueryBoolean = (defaultValue: boolean | undefined, description: string) =>
  applyDecorators(
    Optional(description, defaultValue),
    ApiProperty({ type: Boolean }),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    IsBoolean({ message: '$property must be true or false' }),
  );

/** The parameters of lists that callers can sort. */
export class SortedQuery extends PageQuery {
  @ApiProperty({
    required: false,
    // @nestjs/swagger drops a `default` beside the reference to an enum, but not within `enumSchema`.
    enumSchema: { default: '-updatedAt' },
    description:
      'The field to sort by; a leading `-` sorts in descending order. Items with the same value are sorted by `id` in the same direction. Sorting by name ignores case.',
  })
  @IsOneOf('Sort')
  sort: Sort = '-updatedAt';

  @ApiProperty({
    required: false,
    description: 'The `nextCursor` of the previous page, or a `syncCursor` of the same list.',
  })
  override cursor?: string;

  @Optional()
  @IsQueryTime('Only items whose last change was at this time or later.')
  updatedSince?: Date;
}
