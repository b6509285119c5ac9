import type { JsonText } from '#database';
import { ApiExtraModels } from '@nestjs/swagger';
import { AreOperations, IsAction, OperationOnExisting } from '../http/batch.js';
import { IsDocument } from '../http/document.js';
import { Described, IfGiven, IsIdOf, IsName } from '../http/fields.js';
import { NO_DOCUMENT } from './templates.dto.js';

export class CreateTemplateOperation {
  @IsAction('create')
  action!: 'create';

  @IsName()
  name!: string;

  @IfGiven('The document.', NO_DOCUMENT)
  @IsDocument()
  content?: JsonText;
}

export class UpdateTemplateOperation extends OperationOnExisting {
  @IsAction('update')
  action!: 'update';

  @IfGiven()
  @IsName()
  name?: string;

  @IfGiven()
  @IsDocument()
  content?: JsonText;
}

export class DeleteTemplateOperation extends OperationOnExisting {
  @IsAction('delete')
  action!: 'delete';
}

@ApiExtraModels(CreateTemplateOperation, UpdateTemplateOperation, DeleteTemplateOperation)
export class TemplateBatchDto {
  @IsIdOf('workspace')
  workspaceId!: string;

  @Described('All of them are done, or none; the answer has their order.')
  @AreOperations({
    create: CreateTemplateOperation,
    update: UpdateTemplateOperation,
    delete: DeleteTemplateOperation,
  })
  operations!: (CreateTemplateOperation | UpdateTemplateOperation | DeleteTemplateOperation)[];
}
