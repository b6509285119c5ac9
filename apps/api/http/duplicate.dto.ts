import { IfGiven, IsIdOf, IsName } from './fields.js';

/** What a copy is to be called and where it goes; without them, `Name (copy)` beside the original. */
export class DuplicateDto {
  @IfGiven(
    '1 to 255 characters, without the blanks around it. When left out, that of the original with ` (copy)`, ` (copy 2)` and so on behind it, the first that is free.',
  )
  @IsName()
  name?: string;

  @IfGiven('Where the copy goes; when left out, to the workspace of the original.')
  @IsIdOf('workspace')
  workspaceId?: string;
}
