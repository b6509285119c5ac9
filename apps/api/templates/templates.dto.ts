import { Allow } from 'class-validator';
import { IsDocument } from '../http/document.js';
import { IfGiven, IsFlag, IsIdOf, IsName, IsText, PageQuery } from '../http/fields.js';
import type { JsonText } from '#database';

export class CreateTemplateDto {
  @IsName()
  name!: string;

  @IsIdOf('workspace')
  workspaceId!: string;

  @IfGiven()
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

  // Read-only: they may be put back as they were read.
  @Allow() id?: unknown;
  @Allow() workspaceId?: unknown;
  @Allow() version?: unknown;
  @Allow() createdAt?: unknown;
  @Allow() updatedAt?: unknown;
}

export class ListTemplatesQuery extends PageQuery {
  @IsIdOf('workspace')
  workspaceId!: string;

  @IfGiven()
  @IsText(255)
  search?: string;

  @IsFlag()
  content: boolean = true;
}

export class ListVersionsQuery extends PageQuery {
  @IsFlag()
  content: boolean = false;
}
