import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Sort } from '#database';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { check, IfGiven, IsOneOf, MAX_NAME, problemOfText } from './fields.js';
import { IsQueryTime } from './times.js';

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;
const LIMIT = `limit must be a whole number from 1 to ${MAX_PAGE}`;

/** A part of a name. */
export const IsSearch = () =>
  check('isText', (value) => problemOfText(value, MAX_NAME), {
    ...{ type: String, maxLength: MAX_NAME },
    description: 'Only those whose name contains this, in upper or lower case.',
  });

/** How many of a list a caller wants. */
export const IsLimit = (byDefault: number) =>
  applyDecorators(
    ApiProperty({
      ...{ type: 'integer', minimum: 1, maximum: MAX_PAGE, default: byDefault, required: false },
      description: 'How many at most.',
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value,
    ),
    IsInt({ message: LIMIT }),
    Min(1, { message: LIMIT }),
    Max(MAX_PAGE, { message: LIMIT }),
  );

/** What every list takes. */
export class PageQuery {
  @IsLimit(DEFAULT_PAGE)
  limit: number = DEFAULT_PAGE;

  @ApiProperty({
    required: false,
    description: '`nextCursor` of the page before, or a `syncCursor` of the list.',
  })
  @IsOptional()
  @IsString({ message: 'cursor must be the nextCursor of this same list' })
  cursor?: string;
}

/** `true` or `false` in a query. */
export const IsFlag = (byDefault: boolean, description: string) =>
  applyDecorators(
    ApiProperty({ type: Boolean, required: false, default: byDefault, description }),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    IsBoolean({ message: '$property must be true or false' }),
  );

/** What the lists take that have a choice of orders. */
export class SortedQuery extends PageQuery {
  @ApiProperty({
    required: false,
    // Beside a reference to a list of values the generator drops it.
    enumSchema: { default: '-updatedAt' },
    description:
      'By which field; with `-` before it descending. What is equal goes by `id`, in the same direction; names go without regard to upper and lower case.',
  })
  @IsOneOf('Sort')
  sort: Sort = '-updatedAt';

  @IfGiven()
  @IsQueryTime('Only what was last changed at this time or later.')
  updatedSince?: Date;
}
