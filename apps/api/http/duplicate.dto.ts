import { IfGiven, IsIdOf, IsName } from './fields.js';

/** What a copy is to be called and where it goes; without them, `Name (copy)` beside the original. */
export class DuplicateDto {
  @IfGiven()
  @IsName()
  name?: string;

  @IfGiven()
  @IsIdOf('workspace')
  workspaceId?: string;
}
