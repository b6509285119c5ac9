import { applyDecorators } from '@nestjs/common';
import type { JsonText } from '#documents';
import { IsDocument } from '../validation/document-field.js';
import { DocumentChangeDto, NewDocumentDto } from '../documents/document.dto.js';
import { Optional, ResourceId, IsText, ReadOnly } from '../validation/fields.js';
import { IsQueryBoolean, IsSearch, SortedQuery } from '../validation/list-query.js';
import { ID_SCHEMA, WITH_DOCUMENTS_DESCRIPTION } from '../validation/schemas.js';
import { ReadOnlyTime } from '../validation/times.js';

export const CATEGORY_DOC = 'A category of your choice.';
export const DESCRIPTION_DOC = 'What it is for.';
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

  @ReadOnly(ID_SCHEMA) id?: unknown;
  @ReadOnly(ID_SCHEMA) workspaceId?: unknown;
  @ReadOnlyTime() createdAt?: unknown;
  @ReadOnlyTime() updatedAt?: unknown;
}

export class ListModulesQuery extends SortedQuery {
  @ResourceId('workspace')
  workspaceId!: string;

  @Optional('Only modules of exactly this category.')
  @IsText(MAX_CATEGORY_LENGTH)
  category?: string;

  @Optional()
  @IsSearch()
  search?: string;

  @IsQueryBoolean(true, WITH_DOCUMENTS_DESCRIPTION)
  content: boolean = true;
}
