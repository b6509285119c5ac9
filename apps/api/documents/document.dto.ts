import type { Type } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import type { JsonText } from '#documents';
import { IsAction, IsBatchOf, OperationOnExisting } from '../validation/batch.js';
import { IsDocument } from '../validation/document-field.js';
import { Description, IsName, Optional, ResourceId } from '../validation/fields.js';

/** The fields that new templates and new modules share. The DTO of each adds `content`. */
export class NewDocumentDto {
  @IsName()
  name!: string;

  @ResourceId('workspace')
  workspaceId!: string;
}

/** The fields of a `create` operation. The workspace is named once for the whole batch. */
export class CreateOperation {
  @IsAction('create')
  action!: 'create';

  @IsName()
  name!: string;
}

class UpdateAction extends OperationOnExisting {
  @IsAction('update')
  action!: 'update';
}

/** Adds the fields that a change of a template or module may have. */
function WithChange<Base extends object>(
  BaseDto: Type<Base> = Object as unknown as Type<Base>,
): Type<Base & { name?: string; content?: JsonText }> {
  class Change extends (BaseDto as Type<object>) {
    @Optional()
    @IsName()
    name?: string;

    @Optional()
    @IsDocument()
    content?: JsonText;
  }
  return Change as Type<Base & Change>;
}

export class DocumentChangeDto extends WithChange() {}

export class UpdateOperation extends WithChange(UpdateAction) {}

export class DeleteOperation extends OperationOnExisting {
  @IsAction('delete')
  action!: 'delete';
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
