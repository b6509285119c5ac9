import type { Type } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import type { DocumentType, Expand } from '#documents';
import type { JsonText } from '#json';
import { IsAction, IsBatchOf, OperationOnExisting } from '../validation/batch.js';
import { IsEntityTag } from '../validation/entity-tag.js';
import { IsDocument } from '../validation/document-field.js';
import {
  Description,
  IsExternalId,
  IsName,
  IsText,
  Optional,
  OptionalExternalId,
  ReadOnly,
  ResourceId,
} from '../validation/fields.js';
import { IsQueryBoolean, PageQuery } from '../validation/list-query.js';
import { ID_SCHEMA, WITH_DOCUMENTS_DESCRIPTION } from '../validation/schemas.js';
import { IsQueryTime, ReadOnlyTime } from '../validation/times.js';
import { IsExpand } from './references.dto.js';
import { AreTags } from '../tags/tag-fields.js';
import { addTexts, setSchemaName } from './text-fields.js';

const MAX_LABEL_LENGTH = 100;
const MAX_NOTE_LENGTH = 2_000;
const NEW_EXTERNAL_ID_DESCRIPTION =
  'An id of your own. No two templates, and no two modules, of a workspace have the same one.';
const NULLABLE_ID_SCHEMA = { ...ID_SCHEMA, nullable: true };

/** The fields of a new template or module, except for `content`. */
class NewDocumentDto {
  @IsName()
  name!: string;

  @ResourceId('workspace')
  workspaceId!: string;

  @AreTags([])
  tags?: string[];

  @OptionalExternalId(NEW_EXTERNAL_ID_DESCRIPTION)
  externalId?: string | null;
}

/** The fields of a template or module that is created or updated by its external id, except for `content`. */
class UpsertDto {
  @IsName()
  name!: string;

  @AreTags()
  tags?: string[];
}

/**
 * The fields of a `create` operation in a batch, except for `content`. The batch names the workspace once for all its
 * operations.
 */
class CreateOperation {
  @IsAction('create')
  action!: 'create';

  @IsName()
  name!: string;

  @AreTags([])
  tags?: string[];

  @OptionalExternalId(NEW_EXTERNAL_ID_DESCRIPTION)
  externalId?: string | null;
}

class UpsertOperation {
  @IsAction('upsert')
  action!: 'upsert';

  @IsExternalId()
  externalId!: string;

  @Optional('The ETag that you have read. The operation then only updates.')
  @IsEntityTag()
  ifMatch?: string;

  @IsName()
  name!: string;

  @AreTags()
  tags?: string[];
}

class UpdateAction extends OperationOnExisting {
  @IsAction('update')
  action!: 'update';
}

/**
 * Adds `content` to the fields of a new template or module. If the type has a default document, `content` is optional.
 * @param isUpsert whether an update keeps the stored document if the request has no `content`.
 */
function withContent<Base extends object>(
  BaseDto: Type<Base>,
  { defaultContent }: DocumentType,
  isUpsert = false,
): Type<Base & { content?: JsonText }> {
  class WithContent extends (BaseDto as Type<object>) {
    @IsDocument()
    content?: JsonText;
  }
  if (defaultContent !== undefined) {
    const decorate = isUpsert
      ? Optional('The document. Without it, an update keeps the stored document.')
      : Optional('The document.', JSON.parse(defaultContent.text));
    (decorate as PropertyDecorator)(WithContent.prototype, 'content');
  }
  return WithContent as Type<Base & WithContent>;
}

/** Adds the fields that updates of templates and of modules have in common. */
function withChange<Base extends object>(
  BaseDto: Type<Base>,
): Type<Base & { name?: string; content?: JsonText; tags?: string[]; externalId?: string | null }> {
  class Change extends (BaseDto as Type<object>) {
    @Optional()
    @IsName()
    name?: string;

    @Optional()
    @IsDocument()
    content?: JsonText;

    @AreTags()
    tags?: string[];

    @OptionalExternalId(
      'The new id of your own; null removes it. Changing only the `externalId` creates no new version.',
    )
    externalId?: string | null;
  }
  return Change as Type<Base & Change>;
}

class DocumentChangeDto extends withChange(Object as unknown as Type<object>) {
  @ReadOnly(ID_SCHEMA) id?: unknown;
  @ReadOnly(ID_SCHEMA) workspaceId?: unknown;
  @ReadOnly({ type: 'integer' }) version?: unknown;
  @ReadOnlyTime() createdAt?: unknown;
  @ReadOnly(NULLABLE_ID_SCHEMA) createdBy?: unknown;
  @ReadOnlyTime() updatedAt?: unknown;
  @ReadOnly(NULLABLE_ID_SCHEMA) updatedBy?: unknown;
}

class DeleteAction extends OperationOnExisting {
  @IsAction('delete')
  action!: 'delete';
}

/**
 * Creates the DTO classes of the request bodies for templates or modules. Each class has its own schema name in the
 * OpenAPI document.
 */
export function documentDtos(type: DocumentType) {
  const { kind } = type;
  const Kind = kind === 'template' ? 'Template' : 'Module';
  class Create extends withContent(NewDocumentDto, type) {}
  class Update extends DocumentChangeDto {}
  class Upsert extends withContent(UpsertDto, type, true) {}
  class CreateInBatch extends withContent(CreateOperation, type) {}
  class UpdateInBatch extends withChange(UpdateAction) {}
  class UpsertInBatch extends withContent(UpsertOperation, type, true) {}
  class DeleteInBatch extends DeleteAction {}
  addTexts(Create, kind, '');
  addTexts(CreateInBatch, kind, '');
  addTexts(Update, kind);
  addTexts(UpdateInBatch, kind);
  addTexts(Upsert, kind);
  addTexts(UpsertInBatch, kind);
  const operations = {
    create: setSchemaName(`Create${Kind}Operation`, CreateInBatch),
    update: setSchemaName(`Update${Kind}Operation`, UpdateInBatch),
    upsert: setSchemaName(`Upsert${Kind}Operation`, UpsertInBatch),
    delete: setSchemaName(`Delete${Kind}Operation`, DeleteInBatch),
  };
  class Batch extends batchOf(operations) {}
  return {
    Create: setSchemaName(`Create${Kind}Dto`, Create),
    Update: setSchemaName(`Update${Kind}Dto`, Update),
    Upsert: setSchemaName(`Upsert${Kind}Dto`, Upsert),
    Batch: setSchemaName(`${Kind}BatchDto`, Batch),
    operations,
  };
}

/** The workspace of an external id. */
export class ExternalIdQuery {
  @ResourceId('workspace')
  workspaceId!: string;
}

export class ReadByExternalIdQuery extends ExternalIdQuery {
  @IsExpand(true)
  expand?: Expand;
}

export class ListVersionsQuery extends PageQuery {
  @IsQueryBoolean(false, WITH_DOCUMENTS_DESCRIPTION)
  content: boolean = false;

  @IsExpand(false)
  expand?: Expand;

  @Optional('Only versions with exactly this label.')
  @IsText(MAX_LABEL_LENGTH)
  label?: string;

  @Optional('Only versions that this user created. For an API key, send its `userId`.')
  @ResourceId('user')
  createdBy?: string;

  @Optional()
  @IsQueryTime('Only versions that were created at this time or later.')
  since?: Date;

  @Optional()
  @IsQueryTime('Only versions that were created before this time.')
  until?: Date;
}

/** The label and the note that users give to a version. An empty string removes the previous label or note. */
export class LabelVersionDto {
  @Optional(
    'A short name for the version, such as `approved`. Several versions may have the same label.',
  )
  @IsText(MAX_LABEL_LENGTH)
  label?: string;

  @Optional('A note about the version, such as why the version was created.')
  @IsText(MAX_NOTE_LENGTH)
  note?: string;
}

function batchOf<Create, Update, Upsert, Delete>(operationTypes: {
  create: Type<Create>;
  update: Type<Update>;
  upsert: Type<Upsert>;
  delete: Type<Delete>;
}): Type<{ workspaceId: string; operations: (Create | Update | Upsert | Delete)[] }> {
  @ApiExtraModels(...Object.values(operationTypes))
  class BatchDto {
    @ResourceId('workspace')
    workspaceId!: string;

    @Description(
      'Galley applies all operations or none. The results are in the order of the operations.',
    )
    @IsBatchOf(operationTypes)
    operations!: (Create | Update | Upsert | Delete)[];
  }
  return BatchDto;
}
