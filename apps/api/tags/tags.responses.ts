import { ApiProperty } from '@nestjs/swagger';
import type { TagChange, TagUsage } from '#documents';
import { PageOf } from '../validation/schemas.js';

// The maximum is `MAX_COUNTED` in libs/documents/tags/list-tags.ts.
const countProperty = (things: string) =>
  ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 1_000,
    description: `How many ${things} have the tag. Galley stops counting at 1,000, so 1,000 means 1,000 or more.`,
  });

class TagResponse implements TagUsage {
  @ApiProperty()
  name!: string;

  @countProperty('templates')
  templates!: number;

  @countProperty('modules')
  modules!: number;
}

export class TagPageResponse extends PageOf(TagResponse) {}

export class TagChangeResponse implements TagChange {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 2_000,
    description: 'How many templates and modules this request has changed.',
  })
  changed!: number;

  @ApiProperty({
    description:
      'Whether the change is complete. If `false`, more templates or modules may have the tag: send the request again.',
  })
  isComplete!: boolean;
}
