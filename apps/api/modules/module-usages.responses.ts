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
      'The id of the module that the document refers to. If this is another module, the document uses the requested module through that other module.',
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
    description: 'The number of references to `moduleId` in the document.',
  })
  occurrences!: number;
}

export class ModuleUsagePageResponse extends PageOf(ModuleUsageResponse) {}
