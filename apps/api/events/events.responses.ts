import { ApiProperty } from '@nestjs/swagger';
import type { EventKind } from '#events';
import type { FeedEvent } from '#webhooks';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA } from '../validation/schemas.js';

class FeedEventResponse implements FeedEvent {
  @ApiProperty({
    type: 'integer',
    description: "The position in the workspace's sequence of events, from 1 and without gaps.",
  })
  position!: number;

  @ApiProperty({ ...ID_SCHEMA, description: 'The `webhook-id` header of its notifications.' })
  id!: string;

  @ApiProperty(enumProperty('EventKind'))
  event!: EventKind;

  @ApiProperty({ description: 'The time of the event.' })
  timestamp!: Date;

  @ApiProperty({ ...ID_SCHEMA, description: 'The template, module or webhook.' })
  resourceId!: string;

  @ApiProperty({
    type: 'integer',
    description: "The position in the resource's sequence of events, from 1 and without gaps.",
  })
  sequence!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The `data` of its notifications. For `webhook.…` events, only admins see more than the ids.',
  })
  data!: unknown;
}

export class FeedPageResponse {
  @ApiProperty({ type: [FeedEventResponse], description: 'Oldest first.' })
  data!: FeedEventResponse[];

  @ApiProperty({
    type: 'integer',
    description: 'The `after` of the next request, even if `data` is empty.',
  })
  nextAfter!: number;
}
