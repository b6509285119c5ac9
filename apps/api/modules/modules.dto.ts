import type { JsonText } from '#database';
import { Allow } from 'class-validator';
import { IsDocument } from '../http/document.js';
import { IfGiven, IsFlag, IsIdOf, IsName, IsText, PageQuery } from '../http/fields.js';

const MAX_CATEGORY = 100;
const MAX_DESCRIPTION = 2_000;

export class CreateModuleDto {
  @IsName()
  name!: string;

  @IsIdOf('workspace')
  workspaceId!: string;

  @IsDocument()
  content!: JsonText;

  @IfGiven()
  @IsText(MAX_CATEGORY)
  category?: string;

  @IfGiven()
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

  @IfGiven()
  @IsText(MAX_CATEGORY)
  category?: string;

  @IfGiven()
  @IsText(MAX_DESCRIPTION)
  description?: string;

  // Read-only: they may be put back as they were read.
  @Allow() id?: unknown;
  @Allow() workspaceId?: unknown;
  @Allow() createdAt?: unknown;
  @Allow() updatedAt?: unknown;
}

export class ListModulesQuery extends PageQuery {
  @IsIdOf('workspace')
  workspaceId!: string;

  @IfGiven()
  @IsText(MAX_CATEGORY)
  category?: string;

  @IfGiven()
  @IsText(255)
  search?: string;

  @IsFlag()
  content: boolean = true;
}
