import type { JsonText } from '#database';
import { IsDocument } from '../http/document.js';
import { IfGiven, IsIdOf, IsName, IsText, Unchanged } from '../http/fields.js';
import { IsFlag, IsSearch, SortedQuery } from '../http/list-query.js';
import { ID, WITH_DOCUMENTS } from '../http/schemas.js';
import { UnchangedTime } from '../http/times.js';

export const CATEGORY = 'What kind of module it is, in words of your own.';
export const DESCRIPTION = 'What it is for.';
export const MAX_CATEGORY = 100;
export const MAX_DESCRIPTION = 2_000;

export class CreateModuleDto {
  @IsName()
  name!: string;

  @IsIdOf('workspace')
  workspaceId!: string;

  @IsDocument()
  content!: JsonText;

  @IfGiven(CATEGORY, '')
  @IsText(MAX_CATEGORY)
  category?: string;

  @IfGiven(DESCRIPTION, '')
  @IsText(MAX_DESCRIPTION)
  description?: string;
}

export class UpdateModuleDto {
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

  @Unchanged(ID) id?: unknown;
  @Unchanged(ID) workspaceId?: unknown;
  @UnchangedTime() createdAt?: unknown;
  @UnchangedTime() updatedAt?: unknown;
}

export class ListModulesQuery extends SortedQuery {
  @IsIdOf('workspace')
  workspaceId!: string;

  @IfGiven('Only those of exactly this category.')
  @IsText(MAX_CATEGORY)
  category?: string;

  @IfGiven()
  @IsSearch()
  search?: string;

  @IsFlag(true, WITH_DOCUMENTS)
  content: boolean = true;
}
