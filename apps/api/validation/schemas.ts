import type { Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { MAX_PAGE_BYTES } from '#database';

export const ID_SCHEMA = { type: String, format: 'uuid' } as const;
export const TIME_SCHEMA = { type: String, format: 'date-time' } as const;
export const WITH_DOCUMENTS_DESCRIPTION = 'Whether the response includes the documents.';
export const BATCH_TOO_LARGE_DESCRIPTION = 'The body is larger than 16 MiB (`MAX_BATCH_BYTES`).';

/** One of several schemas, distinguished by `action`. */
export const discriminatedByAction = (models: Record<string, Type>) => ({
  oneOf: [...new Set(Object.values(models))].map((model) => ({ $ref: getSchemaPath(model) })),
  discriminator: {
    propertyName: 'action',
    mapping: Object.fromEntries(
      Object.entries(models).map(([action, model]) => [action, getSchemaPath(model)]),
    ),
  },
});

/** The descriptions of lists whose rows have documents. */
export const BOUNDED_PAGE_DESCRIPTION = `A page ends early, with a \`nextCursor\`, before its documents exceed ${MAX_PAGE_BYTES / 2 ** 20} MiB in total. A page holds at least one document.`;

/** A page of a list in the OpenAPI document. */
export function PageOf<T>(Item: Type<T>): Type<{ data: T[]; nextCursor: string | null }> {
  class Page {
    @ApiProperty({ type: [Item] })
    data!: T[];

    @ApiProperty({
      type: String,
      nullable: true,
      description: 'The `cursor` of the next page; null on the last page.',
    })
    nextCursor!: string | null;
  }
  return Page;
}

/** A page of a list with several orders, some of which clients can follow. */
export function SyncPageOf<T>(
  Item: Type<T>,
): Type<{ data: T[]; nextCursor: string | null; syncCursor: string | null }> {
  class SyncPage extends PageOf(Item) {
    @ApiProperty({
      type: String,
      nullable: true,
      description:
        'Send this value later as `cursor` of the same request to get everything that has changed after this page, and nothing twice. Present on every page with `sort=updatedAt` and `sort=createdAt`, even on an empty one; null in other orders.',
    })
    syncCursor!: string | null;
  }
  return SyncPage;
}
