import { ApiProperty } from '@nestjs/swagger';
import type { Template, TemplateVersion } from '#templates';
import {
  BatchResultOf,
  CreatedAt,
  DeletedResponse,
  DocumentReference,
  UpdatedAt,
  WithContent,
  WithOptionalContent,
  WrittenResponse,
  WrittenSummary,
} from '../documents/document.responses.js';
import { ID_SCHEMA, PageOf, SyncPageOf } from '../validation/schemas.js';

class TemplateSummaryResponse extends DocumentReference {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'The number of the latest version.' })
  version!: number;

  @CreatedAt()
  createdAt!: Date;

  @UpdatedAt()
  updatedAt!: Date;
}

export class TemplateResponse extends WithContent(TemplateSummaryResponse) implements Template {}

class ListedTemplateResponse extends WithOptionalContent(
  TemplateSummaryResponse,
  'omitted with `content=false`',
) {}

export class TemplatePageResponse extends SyncPageOf(ListedTemplateResponse) {}

class TemplateVersionSummaryResponse {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'The number of the version, from 1.' })
  version!: number;

  @ApiProperty()
  name!: string;

  @CreatedAt()
  createdAt!: Date;

  @ApiProperty({
    ...ID_SCHEMA,
    description: 'The user who made the version; for an API key, the user that the key acts as.',
  })
  createdBy!: string;
}

export class TemplateVersionResponse
  extends WithContent(TemplateVersionSummaryResponse)
  implements TemplateVersion {}

class ListedTemplateVersionResponse extends WithOptionalContent(
  TemplateVersionSummaryResponse,
  'only with `content=true`',
) {}

export class TemplateVersionPageResponse extends PageOf(ListedTemplateVersionResponse) {}

class WrittenTemplateResponse extends WrittenResponse {
  @WrittenSummary(TemplateSummaryResponse)
  template!: TemplateSummaryResponse;
}

class DeletedTemplateResponse extends DeletedResponse {}

export class TemplateBatchResultResponse extends BatchResultOf(
  WrittenTemplateResponse,
  DeletedTemplateResponse,
) {}
