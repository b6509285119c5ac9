import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import type { JsonText } from '#database';
import type { Template, TemplateVersion } from '#templates';
import { Content } from '../http/document.js';
import { byAction, ID, PageOf, SyncPageOf } from '../http/schemas.js';

class TemplateSummaryAnswer {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(ID)
  workspaceId!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Of the latest version.' })
  version!: number;

  @ApiProperty({ description: 'When it was made.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it was last changed; never the same after a change.' })
  updatedAt!: Date;
}

export class TemplateAnswer extends TemplateSummaryAnswer implements Template {
  @ApiProperty({ type: Content, description: 'The document, as it was sent.' })
  content!: JsonText;
}

class ListedTemplateAnswer extends TemplateSummaryAnswer {
  @ApiProperty({
    type: Content,
    required: false,
    description: 'The document; not with `content=false`.',
  })
  content?: JsonText;
}

export class TemplatePageAnswer extends SyncPageOf(ListedTemplateAnswer) {}

class VersionSummary {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Counts from 1.' })
  version!: number;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'When it was made.' })
  createdAt!: Date;

  @ApiProperty({ ...ID, description: 'The user, or the user as which a key acts.' })
  createdBy!: string;
}

export class TemplateVersionAnswer extends VersionSummary implements TemplateVersion {
  @ApiProperty({ type: Content, description: 'The document, as it was sent.' })
  content!: JsonText;
}

class ListedTemplateVersionAnswer extends VersionSummary {
  @ApiProperty({
    type: Content,
    required: false,
    description: 'The document; with `content=true`.',
  })
  content?: JsonText;
}

export class TemplateVersionPageAnswer extends PageOf(ListedTemplateVersionAnswer) {}

class WrittenTemplateAnswer {
  @ApiProperty({ enum: ['create', 'update'], description: 'What was done.' })
  action!: 'create' | 'update';

  @ApiProperty({ type: TemplateSummaryAnswer, description: 'As it is now, without its document.' })
  template!: TemplateSummaryAnswer;
}

class DeletedTemplateAnswer {
  @ApiProperty({ enum: ['delete'], description: 'What was done.' })
  action!: 'delete';

  @ApiProperty(ID)
  id!: string;
}

@ApiExtraModels(WrittenTemplateAnswer, DeletedTemplateAnswer)
export class TemplateBatchResultAnswer {
  @ApiProperty({
    type: 'array',
    items: byAction({
      create: WrittenTemplateAnswer,
      update: WrittenTemplateAnswer,
      delete: DeletedTemplateAnswer,
    }),
    description: 'What has become of each operation, in their order.',
  })
  data!: (WrittenTemplateAnswer | DeletedTemplateAnswer)[];
}
