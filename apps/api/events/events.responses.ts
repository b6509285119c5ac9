import { ApiProperty } from '@nestjs/swagger';
import type { EventKind } from '#events';
import type { FeedEvent } from '#webhooks';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA } from '../validation/schemas.js';

class FeedEventResponse implements FeedEvent {
  @ApiProperty({
    type: 'integer',
    description:
      'The position of the event in the sequence of events of the workspace, starting at 1. There is a gap only after a backup was restored.',
  })
  position!: number;

  @ApiProperty({
    ...ID_SCHEMA,
    description:
      'The id of the event. Notifications of the event have this id in the `webhook-id` header.',
  })
  id!: string;

  @ApiProperty(enumProperty('EventKind'))
  event!: EventKind;

  @ApiProperty({ description: 'The time of the event.' })
  timestamp!: Date;

  @ApiProperty({
    ...ID_SCHEMA,
    description: 'The id of the template, module or webhook that the event is about.',
  })
  resourceId!: string;

  @ApiProperty({
    type: 'integer',
    description:
      'The position of the event in the sequence of events of its resource, starting at 1 and without gaps.',
  })
  sequence!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The same `data` that the notifications of the event contain. For `webhook.…` events, callers without the `admin` role get only `id` and `workspaceId`.',
  })
  data!: unknown;
}

export class FeedPageResponse {
  @ApiProperty({ type: [FeedEventResponse], description: 'The events, oldest first.' })
  data!: FeedEventResponse[];

  @ApiProperty({
    type: 'integer',
    description: 'Send this value as `after` in the next request, even if `data` is empty.',
  })
  nextAfter!: number;
}
