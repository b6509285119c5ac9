import { Optional, ResourceId, IsName } from '../validation/fields.js';

/** By default, a copy is named `Name (copy)` and is in the workspace of the original. */
export class DuplicateDto {
  @Optional(
    'The name of the copy: 1 to 255 characters. Galley removes leading and trailing white space. The default is the name of the original followed by ` (copy)`, or by ` (copy 2)` and so on if that name is taken. The copy of `Sale (copy)` is called `Sale (copy 2)`.',
  )
  @IsName()
  name?: string;

  @Optional('The id of the workspace of the copy; by default the workspace of the original.')
  @ResourceId('workspace')
  workspaceId?: string;
}
