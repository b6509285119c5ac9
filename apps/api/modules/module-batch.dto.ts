import type { JsonText } from '#json';
import {
  BatchOf,
  CreateOperation,
  DeleteOperation,
  UpdateOperation,
} from '../documents/document.dto.js';
import { IsDocument } from '../validation/document-field.js';
import { IsCategory, IsDescription } from './modules.dto.js';

class CreateModuleOperation extends CreateOperation {
  @IsDocument()
  content!: JsonText;

  @IsCategory('')
  category?: string;

  @IsDescription('')
  description?: string;
}

class UpdateModuleOperation extends UpdateOperation {
  @IsCategory()
  category?: string;

  @IsDescription()
  description?: string;
}

class DeleteModuleOperation extends DeleteOperation {}

export const moduleOperations = {
  create: CreateModuleOperation,
  update: UpdateModuleOperation,
  delete: DeleteModuleOperation,
};

export class ModuleBatchDto extends BatchOf(moduleOperations) {}
