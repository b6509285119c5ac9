import type { Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { MAX_PAGE_BYTES } from '#database';

export const ID_SCHEMA = { type: String, format: 'uuid' } as const;
export const TIME_SCHEMA = { type: String, format: 'date-time' } as const;
export const WITH_DOCUMENTS_DESCRIPTION = 'Whether the response includes the documents.';
export const BATCH_TOO_LARGE_DESCRIPTION = 'The body is larger than 16 MiB (`MAX_BATCH_BYTES`).';

/** @param models the model for each value of `action`. Several actions may share a model. */
export const discriminatedByAction = (models: Record<string, Type>) => ({
  oneOf: [...new Set(Object.values(models))].map((model) => ({ $ref: getSchemaPath(model) })),
  discriminator: {
    propertyName: 'action',
    mapping: Object.fromEntries(
      Object.entries(models).map(([action, model]) => [action, getSchemaPath(model)]),
    ),
  },
});

/** A part of the description of every list whose items contain documents. */
export const BOUNDED_PAGE_DESCRIPTION = `A page contains at most ${MAX_PAGE_BYTES / 2 ** 20} MiB of documents, or one larger document. If more documents follow, the page has a \`nextCursor\`.`;

/** Creates the response class for a page of a list. */
export function PageOf<T>(Item: Type<T>): Type<{ data: T[]; nextCursor: string | null }> {
  class Page {
    @ApiProperty({ type: [Item] })
    data!: T[];

    @ApiProperty({
      type: String,
      nullable: true,
      description: 'Send this value as `cursor` to get the next page; null on the last page.',
    })
    nextCursor!: string | null;
  }
  return Page;
}

/**
 * Creates the response class for a page of a sortable list. With some sort orders, `syncCursor` lets clients poll the
 * list for changes.
 */
export function SyncPageOf<T>(
  Item: Type<T>,
): Type<{ data: T[]; nextCursor: string | null; syncCursor: string | null }> {
  class SyncPage extends PageOf(Item) {
    @ApiProperty({
      type: String,
      nullable: true,
      description:
        'To poll the list for changes, repeat the same request later with this value as `cursor`. The response continues after this page, and includes the items that have changed since you read this page or, with `sort=createdAt`, the items that were created since you read this page. Every page with `sort=updatedAt` or `sort=createdAt` has a `syncCursor`, even an empty page. In other orders, `syncCursor` is null.',
    })
    syncCursor!: string | null;
  }
  return SyncPage;
}
