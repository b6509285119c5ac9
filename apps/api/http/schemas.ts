import type { Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';

export const ID = { type: String, format: 'uuid' } as const;
export const TIME = { type: String, format: 'date-time' } as const;
export const WITH_DOCUMENTS = 'Whether the documents come along.';
export const BATCH_TOO_LARGE = 'The body is larger than 16 MiB (`MAX_BATCH_BYTES`).';
export const LIST_ORDER =
  'By `sort`; what was changed last comes first unless told. Forward in time (`updatedAt`, `createdAt`) it ends before the first change that is still on its way, so that whoever goes on from the last row misses nothing.';

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
