import type { Type } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import type { Expand } from '#documents';
import type { JsonText } from '#json';
import { IsAction, IsBatchOf, OperationOnExisting } from '../validation/batch.js';
import { IsDocument } from '../validation/document-field.js';
import {
  Description,
  IsName,
  IsText,
  Optional,
  ReadOnly,
  ResourceId,
} from '../validation/fields.js';
import { IsQueryBoolean, PageQuery } from '../validation/list-query.js';
import { ID_SCHEMA, WITH_DOCUMENTS_DESCRIPTION } from '../validation/schemas.js';
import { IsQueryTime, ReadOnlyTime } from '../validation/times.js';
import { IsExpand } from './references.dto.js';
import { AreTags } from './tags.dto.js';

const MAX_LABEL_LENGTH = 100;
const MAX_NOTE_LENGTH = 2_000;
const NULLABLE_ID_SCHEMA = { ...ID_SCHEMA, nullable: true };

/** The fields that new templates and new modules share. The DTO of each adds `content`. */
export class NewDocumentDto {
  @IsName()
  name!: string;

  @ResourceId('workspace')
  workspaceId!: string;

  @AreTags([])
  tags?: string[];
}

/** The fields of a `create` operation. The workspace is named once for the whole batch. */
export class CreateOperation {
  @IsAction('create')
  action!: 'create';

  @IsName()
  name!: string;

  @AreTags([])
  tags?: string[];
}

class UpdateAction extends OperationOnExisting {
  @IsAction('update')
  action!: 'update';
}

/** Adds the fields that a change of a template or module may have. */
function WithChange<Base extends object>(
  BaseDto: Type<Base> = Object as unknown as Type<Base>,
): Type<Base & { name?: string; content?: JsonText; tags?: string[] }> {
  class Change extends (BaseDto as Type<object>) {
    @Optional()
    @IsName()
    name?: string;

    @Optional()
    @IsDocument()
    content?: JsonText;

    @AreTags()
    tags?: string[];
  }
  return Change as Type<Base & Change>;
}

export class DocumentChangeDto extends WithChange() {
  @ReadOnly(ID_SCHEMA) id?: unknown;
  @ReadOnly(ID_SCHEMA) workspaceId?: unknown;
  @ReadOnly({ type: 'integer' }) version?: unknown;
  @ReadOnlyTime() createdAt?: unknown;
  @ReadOnly(NULLABLE_ID_SCHEMA) createdBy?: unknown;
  @ReadOnlyTime() updatedAt?: unknown;
  @ReadOnly(NULLABLE_ID_SCHEMA) updatedBy?: unknown;
}

export class UpdateOperation extends WithChange(UpdateAction) {}

export class DeleteOperation extends OperationOnExisting {
  @IsAction('delete')
  action!: 'delete';
}

export class ListVersionsQuery extends PageQuery {
  @IsQueryBoolean(false, WITH_DOCUMENTS_DESCRIPTION)
  content: boolean = false;

  @IsExpand(false)
  expand?: Expand;

  @Optional('Only versions with exactly this label.')
  @IsText(MAX_LABEL_LENGTH)
  label?: string;

  @Optional('Only versions that this user made. For an API key, send its `userId`.')
  @ResourceId('user')
  createdBy?: string;

  @Optional()
  @IsQueryTime('Only versions that were made at this time or later.')
  since?: Date;

  @Optional()
  @IsQueryTime('Only versions that were made before this time.')
  until?: Date;
}

/** The texts that people add to a version. An empty text removes the earlier one. */
export class LabelVersionDto {
  @Optional('A short name, such as `approved`. Several versions may have the same label.')
  @IsText(MAX_LABEL_LENGTH)
  label?: string;

  @Optional('Why the version was made, or what to know about it.')
  @IsText(MAX_NOTE_LENGTH)
  note?: string;
}

/** The body of a batch; the types of its operations have names of their own in the OpenAPI document. */
export function BatchOf<Create, Update, Delete>(operationTypes: {
  create: Type<Create>;
  update: Type<Update>;
  delete: Type<Delete>;
}): Type<{ workspaceId: string; operations: (Create | Update | Delete)[] }> {
  @ApiExtraModels(...Object.values(operationTypes))
  class BatchDto {
    @ResourceId('workspace')
    workspaceId!: string;

    @Description(
      'Galley applies all operations or none. The results are in the order of the operations.',
    )
    @IsBatchOf(operationTypes)
    operations!: (Create | Update | Delete)[];
  }
  return BatchDto;
}
