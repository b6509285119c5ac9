import { ApiProperty } from '@nestjs/swagger';
import type { Document, Version } from '#documents';
import {
  BatchResultOf,
  CreatedAt,
  CreatedBy,
  DeletedResponse,
  DocumentReference,
  Tags,
  UpdatedAt,
  UpdatedBy,
  VERSION_AUTHOR_DESCRIPTION,
  VersionNumber,
  VersionReference,
  WithContent,
  WithOptionalContent,
  WrittenResponse,
  WrittenSummary,
} from '../documents/document.responses.js';
import { ID_SCHEMA, PageOf, SyncPageOf } from '../validation/schemas.js';

class TemplateSummaryResponse extends DocumentReference {
  @Tags()
  tags!: string[];

  @VersionNumber()
  version!: number;

  @CreatedAt()
  createdAt!: Date;

  @CreatedBy()
  createdBy!: string | null;

  @UpdatedAt()
  updatedAt!: Date;

  @UpdatedBy()
  updatedBy!: string | null;
}

export class TemplateResponse
  extends WithContent(TemplateSummaryResponse)
  implements Document<'template'> {}

class ListedTemplateResponse extends WithOptionalContent(
  TemplateSummaryResponse,
  'omitted with `content=false`',
) {}

export class TemplatePageResponse extends SyncPageOf(ListedTemplateResponse) {}

export class TemplateVersionSummaryResponse extends VersionReference {
  @CreatedAt()
  createdAt!: Date;

  @ApiProperty({ ...ID_SCHEMA, description: VERSION_AUTHOR_DESCRIPTION })
  createdBy!: string;
}

export class TemplateVersionResponse
  extends WithContent(TemplateVersionSummaryResponse)
  implements Version<'template'> {}

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
