import type { Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { PAGE_BYTES } from '#database';

export const ID = { type: String, format: 'uuid' } as const;
export const TIME = { type: String, format: 'date-time' } as const;
export const WITH_DOCUMENTS = 'Whether the documents come along.';
export const BATCH_TOO_LARGE = 'The body is larger than 16 MiB (`MAX_BATCH_BYTES`).';
export const LIST_ORDER =
  'By `sort`; what was changed last comes first unless told. Forward in time (`updatedAt`, `createdAt`) it ends before the first change that is still on its way, so that a client that goes on from there misses nothing.';

/** One of several schemas, which `action` tells apart. */
export const byAction = (models: Record<string, Type>) => ({
  oneOf: [...new Set(Object.values(models))].map((model) => ({ $ref: getSchemaPath(model) })),
  discriminator: {
    propertyName: 'action',
    mapping: Object.fromEntries(
      Object.entries(models).map(([action, model]) => [action, getSchemaPath(model)]),
    ),
  },
});

/** What the lists do that have documents in their rows. */
export const BOUNDED_PAGE = `A page ends early, with \`nextCursor\`, when its documents would be larger than ${PAGE_BYTES / 2 ** 20} MiB together; it holds at least one.`;

/** A page of a list, as the OpenAPI document describes it. */
export function PageOf<T>(Item: Type<T>): Type<{ data: T[]; nextCursor: string | null }> {
  class Page {
    @ApiProperty({ type: [Item] })
    data!: T[];

    @ApiProperty({
      ...{ type: String, nullable: true },
      description: '`cursor` of the next page; null on the last one.',
    })
    nextCursor!: string | null;
  }
  return Page;
}

/** A page of a list that has a choice of orders, and can be followed in some. */
export function SyncPageOf<T>(
  Item: Type<T>,
): Type<{ data: T[]; nextCursor: string | null; syncCursor: string | null }> {
  class SyncPage extends PageOf(Item) {
    @ApiProperty({
      type: String,
      nullable: true,
      description:
        'Send it later as `cursor` of the same request, to get what has changed after this page, and nothing twice. With `sort=updatedAt` and `sort=createdAt`, on every page, an empty one as well; null in other orders.',
    })
    syncCursor!: string | null;
  }
  return SyncPage;
}
