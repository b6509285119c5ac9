import type { JsonText } from '#json';
import {
  BatchOf,
  CreateOperation,
  DeleteOperation,
  UpdateOperation,
} from '../documents/document.dto.js';
import { IsDocument } from '../validation/document-field.js';
import { Optional } from '../validation/fields.js';
import { EMPTY_DOCUMENT } from './templates.dto.js';

class CreateTemplateOperation extends CreateOperation {
  @Optional('The document.', EMPTY_DOCUMENT)
  @IsDocument()
  content?: JsonText;
}

class UpdateTemplateOperation extends UpdateOperation {}

class DeleteTemplateOperation extends DeleteOperation {}

export const templateOperations = {
  create: CreateTemplateOperation,
  update: UpdateTemplateOperation,
  delete: DeleteTemplateOperation,
};

export class TemplateBatchDto extends BatchOf(templateOperations) {}
