import { ApiProperty } from '@nestjs/swagger';
import type { EventKind } from '#events';
import type { FeedEvent } from '#webhooks';
import { oneOf } from '../http/enums.js';
import { ID } from '../http/schemas.js';

class FeedEventAnswer implements FeedEvent {
  @ApiProperty({ type: 'integer', description: "Counts the workspace's events without gaps." })
  position!: number;

  @ApiProperty({ ...ID, description: 'The `webhook-id` of its notifications.' })
  id!: string;

  @ApiProperty(oneOf('EventKind'))
  event!: EventKind;

  @ApiProperty({ description: 'When it happened.' })
  timestamp!: Date;

  @ApiProperty({ ...ID, description: 'The template, module or webhook.' })
  resourceId!: string;

  @ApiProperty({ type: 'integer', description: 'Counts the events of the resource without gaps.' })
  sequence!: number;

  @ApiProperty({
    ...{ type: 'object', additionalProperties: true },
    description: '`data` of its notifications; of a `webhook.…` event only ids, but for admins.',
  })
  data!: unknown;
}

export class FeedPageAnswer {
  @ApiProperty({ type: [FeedEventAnswer], description: 'Oldest first.' })
  data!: FeedEventAnswer[];

  @ApiProperty({
    type: 'integer',
    description: '`after` of the next request, also when `data` is empty.',
  })
  nextAfter!: number;
}
