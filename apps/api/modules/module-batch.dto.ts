import type { JsonText } from '#database';
import { ApiExtraModels } from '@nestjs/swagger';
import { AreOperations, IsAction, OperationOnExisting } from '../http/batch.js';
import { IsDocument } from '../http/document.js';
import { Described, IfGiven, IsIdOf, IsName, IsText } from '../http/fields.js';
import { CATEGORY, DESCRIPTION, MAX_CATEGORY, MAX_DESCRIPTION } from './modules.dto.js';

export class CreateModuleOperation {
  @IsAction('create')
  action!: 'create';

  @IsName()
  name!: string;

  @IsDocument()
  content!: JsonText;

  @IfGiven(CATEGORY, '')
  @IsText(MAX_CATEGORY)
  category?: string;

  @IfGiven(DESCRIPTION, '')
  @IsText(MAX_DESCRIPTION)
  description?: string;
}

export class UpdateModuleOperation extends OperationOnExisting {
  @IsAction('update')
  action!: 'update';

  @IfGiven()
  @IsName()
  name?: string;

  @IfGiven()
  @IsDocument()
  content?: JsonText;

  @IfGiven(CATEGORY)
  @IsText(MAX_CATEGORY)
  category?: string;

  @IfGiven(DESCRIPTION)
  @IsText(MAX_DESCRIPTION)
  description?: string;
}

export class DeleteModuleOperation extends OperationOnExisting {
  @IsAction('delete')
  action!: 'delete';
}

@ApiExtraModels(CreateModuleOperation, UpdateModuleOperation, DeleteModuleOperation)
export class ModuleBatchDto {
  @IsIdOf('workspace')
  workspaceId!: string;

  @Described('All of them are done, or none; the answer has their order.')
  @AreOperations({
    create: CreateModuleOperation,
    update: UpdateModuleOperation,
    delete: DeleteModuleOperation,
  })
  operations!: (CreateModuleOperation | UpdateModuleOperation | DeleteModuleOperation)[];
}
