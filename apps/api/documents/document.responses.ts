import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { JsonText } from '#documents';
import { Content } from '../validation/document-field.js';
import { discriminatedByAction, ID_SCHEMA } from '../validation/schemas.js';

/** The fields with which responses and notifications about a template or module begin. */
export class DocumentReference {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(ID_SCHEMA)
  workspaceId!: string;
}

export const CreatedAt = () => ApiProperty({ description: 'The time of creation.' });

export const UpdatedAt = () =>
  ApiProperty({
    description: 'The time of the last change. Each change sets a different time.',
  });

/** Adds the document to a summary. */
export function WithContent<Summary extends object>(
  SummaryResponse: Type<Summary>,
): Type<Summary & { content: JsonText }> {
  return withContent(SummaryResponse, { description: 'The document, exactly as it was sent.' });
}

/** Adds the document to a summary, for lists that leave it out of some responses. */
export function WithOptionalContent<Summary extends object>(
  SummaryResponse: Type<Summary>,
  condition: string,
): Type<Summary & { content?: JsonText }> {
  return withContent(SummaryResponse, {
    required: false,
    description: `The document; ${condition}.`,
  });
}

function withContent<Summary extends object>(
  SummaryResponse: Type<Summary>,
  options: ApiPropertyOptions,
): Type<Summary & { content: JsonText }> {
  class WithDocument extends (SummaryResponse as Type<object>) {
    @ApiProperty({ type: Content, ...options })
    content!: JsonText;
  }
  return WithDocument as Type<Summary & WithDocument>;
}

/** The result of a creation or an update in a batch. */
export class WrittenResponse {
  @ApiProperty({ enum: ['create', 'update'], description: 'The kind of change.' })
  action!: 'create' | 'update';
}

export const WrittenSummary = (type: Type) =>
  ApiProperty({ type, description: 'The current resource without its document.' });

export class DeletedResponse {
  @ApiProperty({ enum: ['delete'], description: 'The kind of change.' })
  action!: 'delete';

  @ApiProperty(ID_SCHEMA)
  id!: string;
}

/** The results of a batch. */
export function BatchResultOf<Written, Deleted>(
  Written: Type<Written>,
  Deleted: Type<Deleted>,
): Type<{ data: (Written | Deleted)[] }> {
  @ApiExtraModels(Written, Deleted)
  class BatchResult {
    @ApiProperty({
      type: 'array',
      items: discriminatedByAction({ create: Written, update: Written, delete: Deleted }),
      description: 'The result of each operation, in the same order.',
    })
    data!: (Written | Deleted)[];
  }
  return BatchResult;
}
