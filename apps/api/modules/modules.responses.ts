import { ApiProperty } from '@nestjs/swagger';
import type { Document, ModuleUsage, Version } from '#documents';
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
import { CATEGORY_DOC, DESCRIPTION_DOC } from './modules.dto.js';

class ModuleSummaryResponse extends DocumentReference {
  @ApiProperty({ description: CATEGORY_DOC })
  category!: string;

  @ApiProperty({ description: DESCRIPTION_DOC })
  description!: string;

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

export class ModuleResponse
  extends WithContent(ModuleSummaryResponse)
  implements Document<'module'> {}

class ListedModuleResponse extends WithOptionalContent(
  ModuleSummaryResponse,
  'omitted with `content=false`',
) {}

export class ModulePageResponse extends SyncPageOf(ListedModuleResponse) {}

export class ModuleVersionSummaryResponse extends VersionReference {
  @ApiProperty({ description: CATEGORY_DOC })
  category!: string;

  @ApiProperty({ description: DESCRIPTION_DOC })
  description!: string;

  @CreatedAt()
  createdAt!: Date;

  @ApiProperty({
    ...ID_SCHEMA,
    nullable: true,
    description: `${VERSION_AUTHOR_DESCRIPTION} Null for versions that Galley made before it stored the users.`,
  })
  createdBy!: string | null;
}

export class ModuleVersionResponse
  extends WithContent(ModuleVersionSummaryResponse)
  implements Version<'module'> {}

class ListedModuleVersionResponse extends WithOptionalContent(
  ModuleVersionSummaryResponse,
  'only with `content=true`',
) {}

export class ModuleVersionPageResponse extends PageOf(ListedModuleVersionResponse) {}

class ModuleUsageResponse extends DocumentReference implements ModuleUsage {
  @ApiProperty({ enum: ['template', 'module'], description: 'What uses the module.' })
  kind!: 'template' | 'module';

  @VersionNumber()
  version!: number;

  @ApiProperty({
    ...ID_SCHEMA,
    description:
      'The module that the document refers to. The id of another module means that the document uses the module through that other module.',
  })
  moduleId!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The pinned version; null if the references follow the latest version.',
  })
  pinnedVersion!: number | null;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'How many references the document has.',
  })
  occurrences!: number;
}

export class ModuleUsagePageResponse extends PageOf(ModuleUsageResponse) {}

class WrittenModuleResponse extends WrittenResponse {
  @WrittenSummary(ModuleSummaryResponse)
  module!: ModuleSummaryResponse;
}

class DeletedModuleResponse extends DeletedResponse {}

export class ModuleBatchResultResponse extends BatchResultOf(
  WrittenModuleResponse,
  DeletedModuleResponse,
) {}
