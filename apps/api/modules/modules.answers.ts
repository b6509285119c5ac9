import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import type { JsonText } from '#database';
import type { Module } from '#modules';
import { Content } from '../http/document.js';
import { byAction, ID, SyncPageOf } from '../http/schemas.js';
import { CATEGORY, DESCRIPTION } from './modules.dto.js';

class ModuleSummaryAnswer {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(ID)
  workspaceId!: string;

  @ApiProperty({ description: CATEGORY })
  category!: string;

  @ApiProperty({ description: DESCRIPTION })
  description!: string;

  @ApiProperty({ description: 'When it was made.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it was last changed; never the same after a change.' })
  updatedAt!: Date;
}

export class ModuleAnswer extends ModuleSummaryAnswer implements Module {
  @ApiProperty({ type: Content, description: 'The document, as it was sent.' })
  content!: JsonText;
}

class ListedModuleAnswer extends ModuleSummaryAnswer {
  @ApiProperty({
    type: Content,
    required: false,
    description: 'The document; not with `content=false`.',
  })
  content?: JsonText;
}

export class ModulePageAnswer extends SyncPageOf(ListedModuleAnswer) {}

class WrittenModuleAnswer {
  @ApiProperty({ enum: ['create', 'update'], description: 'What was done.' })
  action!: 'create' | 'update';

  @ApiProperty({ type: ModuleSummaryAnswer, description: 'As it is now, without its document.' })
  module!: ModuleSummaryAnswer;
}

class DeletedModuleAnswer {
  @ApiProperty({ enum: ['delete'], description: 'What was done.' })
  action!: 'delete';

  @ApiProperty(ID)
  id!: string;
}

@ApiExtraModels(WrittenModuleAnswer, DeletedModuleAnswer)
export class ModuleBatchResultAnswer {
  @ApiProperty({
    type: 'array',
    items: byAction({
      create: WrittenModuleAnswer,
      update: WrittenModuleAnswer,
      delete: DeletedModuleAnswer,
    }),
    description: 'What has become of each operation, in their order.',
  })
  data!: (WrittenModuleAnswer | DeletedModuleAnswer)[];
}
