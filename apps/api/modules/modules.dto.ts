import { applyDecorators } from '@nestjs/common';
import type { JsonText } from '#json';
import { IsDocument } from '../validation/document-field.js';
import { CompareQueryOf } from '../documents/compare.dto.js';
import { DocumentChangeDto, NewDocumentDto } from '../documents/document.dto.js';
import { ListDocumentsQuery } from '../documents/list-documents.dto.js';
import { IsText, Optional } from '../validation/fields.js';

export const CATEGORY_DOC = 'A category of your choice.';
export const DESCRIPTION_DOC = 'What the module is for.';
const MAX_CATEGORY_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 2_000;

export const IsCategory = (defaultValue?: string) =>
  applyDecorators(IsText(MAX_CATEGORY_LENGTH), Optional(CATEGORY_DOC, defaultValue));

export const IsDescription = (defaultValue?: string) =>
  applyDecorators(IsText(MAX_DESCRIPTION_LENGTH), Optional(DESCRIPTION_DOC, defaultValue));

export class CreateModuleDto extends NewDocumentDto {
  @IsDocument()
  content!: JsonText;

  @IsCategory('')
  category?: string;

  @IsDescription('')
  description?: string;
}

export class UpdateModuleDto extends DocumentChangeDto {
  @IsCategory()
  category?: string;

  @IsDescription()
  description?: string;
}

export class ListModulesQuery extends ListDocumentsQuery {
  @Optional('Only modules of exactly this category.')
  @IsText(MAX_CATEGORY_LENGTH)
  category?: string;
}

export class CompareModulesQuery extends CompareQueryOf('module') {}
