import { IsDocument } from '../validation/document-field.js';
import { DocumentChangeDto, NewDocumentDto } from '../documents/document.dto.js';
import { Optional, ResourceId, ReadOnly } from '../validation/fields.js';
import { IsQueryBoolean, IsSearch, PageQuery, SortedQuery } from '../validation/list-query.js';
import { ID_SCHEMA, WITH_DOCUMENTS_DESCRIPTION } from '../validation/schemas.js';
import { ReadOnlyTime } from '../validation/times.js';
import type { JsonText } from '#documents';
import { EMPTY_CONTENT } from '#templates';

/** The document of a template that was created without one. */
export const EMPTY_DOCUMENT = JSON.parse(EMPTY_CONTENT.text) as unknown;

export class CreateTemplateDto extends NewDocumentDto {
  @Optional('The document.', EMPTY_DOCUMENT)
  @IsDocument()
  content?: JsonText;
}

export class UpdateTemplateDto extends DocumentChangeDto {
  @ReadOnly(ID_SCHEMA) id?: unknown;
  @ReadOnly(ID_SCHEMA) workspaceId?: unknown;
  @ReadOnly({ type: 'integer' }) version?: unknown;
  @ReadOnlyTime() createdAt?: unknown;
  @ReadOnlyTime() updatedAt?: unknown;
}

export class ListTemplatesQuery extends SortedQuery {
  @ResourceId('workspace')
  workspaceId!: string;

  @Optional()
  @IsSearch()
  search?: string;

  @IsQueryBoolean(true, WITH_DOCUMENTS_DESCRIPTION)
  content: boolean = true;
}

export class ListTemplateVersionsQuery extends PageQuery {
  @IsQueryBoolean(false, WITH_DOCUMENTS_DESCRIPTION)
  content: boolean = false;
}
