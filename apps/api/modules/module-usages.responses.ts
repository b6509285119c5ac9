import { ApiProperty } from '@nestjs/swagger';
import type { ModuleUsage } from '#documents';
import { ID_SCHEMA, PageOf } from '../validation/schemas.js';
import { DocumentReference, VersionNumber } from '../documents/document.responses.js';

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
