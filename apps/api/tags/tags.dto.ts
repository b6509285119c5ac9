import { IsTag } from './tag-fields.js';
import { ResourceId } from '../validation/fields.js';
import { PageQuery } from '../validation/list-query.js';

export class ListTagsQuery extends PageQuery {
  @ResourceId('workspace')
  workspaceId!: string;
}

export class RemoveTagDto {
  @ResourceId('workspace')
  workspaceId!: string;

  @IsTag('The tag to rename or remove.')
  name!: string;
}

export class RenameTagDto extends RemoveTagDto {
  @IsTag('The new tag. Documents that already have the new tag do not get it twice.')
  newName!: string;
}
