import { ApiProperty } from '@nestjs/swagger';
import type { EventKind } from '#events';
import type {
  AttemptOutcome,
  Delivery,
  DeliveryDetails,
  DeliveryStatus,
  LoggedAttempt,
  Replay,
  ReplayStatus,
} from '#webhooks';
import { oneOf } from '../http/enums.js';
import { ID, PageOf, TIME } from '../http/schemas.js';

const HEADERS = {
  type: 'object',
  additionalProperties: { type: 'string' },
  nullable: true,
} as const;
const NO_ANSWER = 'null when none came.';

class AttemptOutcomeAnswer implements AttemptOutcome {
  @ApiProperty({ description: 'When it began.' })
  startedAt!: Date;

  @ApiProperty({ type: 'integer', description: 'How long it took, in milliseconds.' })
  durationMs!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: `The status of the answer; ${NO_ANSWER}`,
  })
  statusCode!: number | null;

  @ApiProperty({ ...oneOf('AttemptStage'), nullable: true, description: 'Null after a success.' })
  stage!: LoggedAttempt['stage'];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What went wrong, in plain words; null after a success.',
  })
  error!: string | null;
}

export class DeliveryAnswer implements Delivery {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty({ ...ID, description: '`webhook-id` of every attempt.' })
  eventId!: string;

  @ApiProperty(oneOf('EventKind'))
  event!: EventKind;

  @ApiProperty({ ...ID, description: 'The template, module or webhook that the event is of.' })
  resourceId!: string;

  @ApiProperty({ type: 'integer', description: '`X-Service-Sequence` of every attempt.' })
  sequence!: number;

  @ApiProperty(oneOf('DeliveryStatus'))
  status!: DeliveryStatus;

  @ApiProperty({ type: 'integer', description: 'How many have been made.' })
  attempts!: number;

  @ApiProperty({ description: 'When its event set out; that of a replay has the same.' })
  createdAt!: Date;

  @ApiProperty({
    ...{ ...TIME, nullable: true },
    description:
      'Not before; null when it is over or held, or waits for an earlier one of its resource.',
  })
  nextAttemptAt!: Date | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'Null until it is over.' })
  finishedAt!: Date | null;

  @ApiProperty({
    type: AttemptOutcomeAnswer,
    nullable: true,
    description: 'Null until an attempt has been made.',
  })
  lastAttempt!: AttemptOutcomeAnswer | null;
}

export class DeliveryPageAnswer extends PageOf(DeliveryAnswer) {}

class AttemptAnswer extends AttemptOutcomeAnswer implements LoggedAttempt {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Where the request went; null when nothing was sent, and for attempts from before this was kept.',
  })
  url!: string | null;

  @ApiProperty({
    ...HEADERS,
    description:
      'What was sent, with the values of your own headers hidden; null when nothing was.',
  })
  requestHeaders!: Record<string, string> | null;

  @ApiProperty({ ...HEADERS, description: `Those of the answer; ${NO_ANSWER}` })
  responseHeaders!: Record<string, string> | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: `The first 16 KiB of the answer at most; ${NO_ANSWER}`,
  })
  responseBody!: string | null;
}

export class DeliveryDetailsAnswer extends DeliveryAnswer implements DeliveryDetails {
  @ApiProperty({
    description: 'Where the last request went; before the first one, where it will go.',
  })
  url!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The body of every request, byte by byte; null when the event is no longer kept.',
  })
  requestBody!: string | null;

  @ApiProperty({
    type: [AttemptAnswer],
    description:
      'The latest 100 attempts, or fewer if these are larger than 4 MiB together, in the order in which they were made. `attempts` counts all of them.',
  })
  attemptsMade!: AttemptAnswer[];
}

export class CancelledAnswer {
  @ApiProperty({ type: 'integer', description: 'How many deliveries.' })
  cancelled!: number;
}

export class RetriedAnswer {
  @ApiProperty({
    type: 'integer',
    description: 'How many deliveries no longer wait for the time of their next attempt.',
  })
  retried!: number;
}

export class ReplayAnswer implements Replay {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty(oneOf('ReplayStatus'))
  status!: ReplayStatus;

  @ApiProperty({ type: 'integer', description: 'How many there were when it was asked for.' })
  total!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'How many have been put in again; when all have, it is done, though some may still wait.',
  })
  done!: number;

  @ApiProperty({ description: 'When it was asked for.' })
  createdAt!: Date;

  @ApiProperty({ ...TIME, nullable: true, description: 'Null while it runs.' })
  finishedAt!: Date | null;
}

export class ReplaysAnswer {
  @ApiProperty({ type: [ReplayAnswer], description: 'The latest 100, newest first.' })
  data!: ReplayAnswer[];
}

export class ReplayCountAnswer {
  @ApiProperty({ type: 'integer', description: 'How many deliveries a replay would make.' })
  count!: number;
}
