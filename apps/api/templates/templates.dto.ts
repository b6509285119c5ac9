import { IsDocument } from '../http/document.js';
import { IfGiven, IsIdOf, IsName, Unchanged } from '../http/fields.js';
import { IsFlag, IsSearch, PageQuery, SortedQuery } from '../http/list-query.js';
import { ID, WITH_DOCUMENTS } from '../http/schemas.js';
import { UnchangedTime } from '../http/times.js';
import type { JsonText } from '#database';
import { EMPTY_CONTENT } from '#templates';

/** What a template says that was made without a document. */
export const NO_DOCUMENT = JSON.parse(EMPTY_CONTENT.text) as unknown;

export class CreateTemplateDto {
  @IsName()
  name!: string;

  @IsIdOf('workspace')
  workspaceId!: string;

  @IfGiven('The document.', NO_DOCUMENT)
  @IsDocument()
  content?: JsonText;
}

export class UpdateTemplateDto {
  @IfGiven()
  @IsName()
  name?: string;

  @IfGiven()
  @IsDocument()
  content?: JsonText;

  @Unchanged(ID) id?: unknown;
  @Unchanged(ID) workspaceId?: unknown;
  @Unchanged({ type: 'integer' }) version?: unknown;
  @UnchangedTime() createdAt?: unknown;
  @UnchangedTime() updatedAt?: unknown;
}

export class ListTemplatesQuery extends SortedQuery {
  @IsIdOf('workspace')
  workspaceId!: string;

  @IfGiven()
  @IsSearch()
  search?: string;

  @IsFlag(true, WITH_DOCUMENTS)
  content: boolean = true;
}

export class ListVersionsQuery extends PageQuery {
  @IsFlag(false, WITH_DOCUMENTS)
  content: boolean = false;
}
