import { Optional, ResourceId, IsName } from '../validation/fields.js';

/** The name and workspace of a copy; by default `Name (copy)` in the original's workspace. */
export class DuplicateDto {
  @Optional(
    '1 to 255 characters after leading and trailing blanks are removed. By default, the name of the original with ` (copy)`, ` (copy 2)` and so on appended: the first such name that is free.',
  )
  @IsName()
  name?: string;

  @Optional('The workspace of the copy; by default the workspace of the original.')
  @ResourceId('workspace')
  workspaceId?: string;
}
