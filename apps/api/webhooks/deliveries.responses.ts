import type { LongJobStatus } from '#long-jobs';
import { ApiProperty } from '@nestjs/swagger';
import type { EventKind } from '#events';
import type {
  AttemptSummary,
  Delivery,
  DeliveryDetails,
  DeliveryStatus,
  LoggedAttempt,
  Replay,
} from '#webhooks';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA, PageOf, TIME_SCHEMA } from '../validation/schemas.js';

const HEADERS_SCHEMA = {
  type: 'object',
  additionalProperties: { type: 'string' },
  nullable: true,
} as const;
const NULL_WITHOUT_RESPONSE = 'null if there was no response.';

class AttemptOutcomeResponse implements AttemptSummary {
  @ApiProperty({ description: 'When the attempt began.' })
  startedAt!: Date;

  @ApiProperty({ type: 'integer', description: 'The duration of the attempt in milliseconds.' })
  durationMs!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: `The status of the response; ${NULL_WITHOUT_RESPONSE}`,
  })
  statusCode!: number | null;

  @ApiProperty({
    ...enumProperty('AttemptStage'),
    nullable: true,
    description: 'Where the attempt failed; null after a success.',
  })
  stage!: LoggedAttempt['stage'];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the attempt failed, in plain words; null after a success.',
  })
  error!: string | null;
}

export class DeliveryResponse implements Delivery {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty({
    ...ID_SCHEMA,
    description: 'The id of the event. Every attempt sends this id in the `webhook-id` header.',
  })
  eventId!: string;

  @ApiProperty(enumProperty('EventKind'))
  event!: EventKind;

  @ApiProperty({
    ...ID_SCHEMA,
    description: 'The id of the template, module or webhook that the event is about.',
  })
  resourceId!: string;

  @ApiProperty({
    type: 'integer',
    description:
      'The position of the event in the sequence of events of its resource, starting at 1. Every attempt sends this position in the `X-Service-Sequence` header.',
  })
  sequence!: number;

  @ApiProperty(enumProperty('DeliveryStatus'))
  status!: DeliveryStatus;

  @ApiProperty({ type: 'integer', description: 'The number of attempts so far.' })
  attempts!: number;

  @ApiProperty({
    description:
      'When Galley created the first delivery of the event. The deliveries of a replay keep this time.',
  })
  createdAt!: Date;

  @ApiProperty({
    ...TIME_SCHEMA,
    nullable: true,
    description:
      'The earliest time of the next attempt; null if the delivery is finished or held, or waits for an earlier delivery of its resource.',
  })
  nextAttemptAt!: Date | null;

  @ApiProperty({
    ...TIME_SCHEMA,
    nullable: true,
    description: 'When the delivery finished; null until then.',
  })
  finishedAt!: Date | null;

  @ApiProperty({
    type: AttemptOutcomeResponse,
    nullable: true,
    description: 'The latest attempt; null before the first attempt.',
  })
  lastAttempt!: AttemptOutcomeResponse | null;
}

export class DeliveryPageResponse extends PageOf(DeliveryResponse) {}

class AttemptResponse extends AttemptOutcomeResponse implements LoggedAttempt {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The URL of the request; null if nothing was sent, or if the attempt was made before Galley stored URLs.',
  })
  url!: string | null;

  @ApiProperty({
    ...HEADERS_SCHEMA,
    description:
      'The headers that were sent, with the values of your own headers hidden; null if nothing was sent.',
  })
  requestHeaders!: Record<string, string> | null;

  @ApiProperty({
    ...HEADERS_SCHEMA,
    description: `The headers of the response; ${NULL_WITHOUT_RESPONSE}`,
  })
  responseHeaders!: Record<string, string> | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: `At most the first 16 KiB of the response body; ${NULL_WITHOUT_RESPONSE}`,
  })
  responseBody!: string | null;
}

export class DeliveryDetailsResponse extends DeliveryResponse implements DeliveryDetails {
  @ApiProperty({
    description:
      'The URL of the last request; before the first attempt, the current URL of the webhook.',
  })
  url!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The exact request body, which is the same for every attempt; null if Galley no longer keeps the event.',
  })
  requestBody!: string | null;

  @ApiProperty({
    type: [AttemptResponse],
    description:
      'The latest attempts, oldest first: at most 100 attempts, and at most 4 MiB in total. `attempts` counts all attempts.',
  })
  attemptsMade!: AttemptResponse[];
}

export class CancelledResponse {
  @ApiProperty({ type: 'integer', description: 'The number of cancelled deliveries.' })
  cancelled!: number;
}

export class RetriedResponse {
  @ApiProperty({
    type: 'integer',
    description: 'The number of deliveries that waited for a retry and are due now.',
  })
  retried!: number;
}

export class ReplayResponse implements Replay {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty(enumProperty('ReplayStatus'))
  status!: LongJobStatus;

  @ApiProperty({
    type: 'integer',
    description: 'The number of matching deliveries, counted when the replay was started.',
  })
  total!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'The number of deliveries that the replay has repeated so far, each as a new delivery.',
  })
  done!: number;

  @ApiProperty({ description: 'When the replay was started.' })
  createdAt!: Date;

  @ApiProperty({
    ...TIME_SCHEMA,
    nullable: true,
    description: 'When the replay finished; null while the replay is running.',
  })
  finishedAt!: Date | null;
}

export class ReplaysResponse {
  @ApiProperty({ type: [ReplayResponse], description: 'The latest 100 replays, newest first.' })
  data!: ReplayResponse[];
}

export class ReplayCountResponse {
  @ApiProperty({
    type: 'integer',
    description: 'The number of deliveries that a replay would repeat.',
  })
  count!: number;
}
