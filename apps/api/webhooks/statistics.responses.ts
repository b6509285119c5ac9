import { ApiProperty } from '@nestjs/swagger';
import type {
  EndpointHealth,
  HealthReport,
  LastFailure,
  PauseReason,
  RecentStatistics,
  Statistics,
  StatisticsPoint,
  StatisticsStep,
  StatisticsTotals,
} from '#webhooks';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA, TIME_SCHEMA } from '../validation/schemas.js';

const percentile = (percent: number) =>
  ({
    type: 'integer',
    nullable: true,
    description: `An estimate of the ${percent}th percentile of the response times, in milliseconds; null if no attempt reached the receiver. Galley stores how many attempts took up to 1, 2, 4, 8 and so on up to 8,192 and 15,000 ms, and interpolates. The exact value is therefore more than half and less than twice the estimate. With few attempts, the estimate may exceed the longest response time. 15,000 means 15 seconds or longer. Attempts that failed before the receiver could respond (stages \`event\` to \`send\`) do not count.`,
  }) as const;

class OutcomesResponse {
  @ApiProperty({ type: 'integer', description: 'The number of deliveries that succeeded.' })
  delivered!: number;

  @ApiProperty({
    type: 'integer',
    description: 'The number of deliveries that failed and get no further attempt.',
  })
  failed!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'The number of attempts that failed and are followed by another attempt of the same delivery.',
  })
  retried!: number;
}

class CountsResponse extends OutcomesResponse {
  @ApiProperty({ type: 'integer', description: 'The number of attempts.' })
  attempts!: number;
}

class StatisticsTotalsResponse extends CountsResponse implements StatisticsTotals {
  @ApiProperty(percentile(50))
  p50!: number | null;

  @ApiProperty(percentile(95))
  p95!: number | null;
}

class StatisticsPointResponse extends StatisticsTotalsResponse implements StatisticsPoint {
  @ApiProperty({ description: 'When the step begins.' })
  at!: Date;
}

export class StatisticsResponse implements Statistics {
  @ApiProperty({ description: 'When the first step begins.' })
  from!: Date;

  @ApiProperty({ description: 'When the last step ends.' })
  to!: Date;

  @ApiProperty(enumProperty('StatisticsStep'))
  step!: StatisticsStep;

  @ApiProperty({
    type: [StatisticsPointResponse],
    description: 'Every step, oldest first. Steps without attempts have zeros.',
  })
  data!: StatisticsPointResponse[];

  @ApiProperty({
    type: StatisticsTotalsResponse,
    description: 'The statistics of all steps together.',
  })
  totals!: StatisticsTotalsResponse;
}

class LastFailureResponse implements LastFailure {
  @ApiProperty({ description: 'When the failed attempt ended.' })
  at!: Date;

  @ApiProperty(ID_SCHEMA)
  deliveryId!: string;

  @ApiProperty(enumProperty('AttemptStage'))
  stage!: LastFailure['stage'];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The status of the response; null if there was no response.',
  })
  statusCode!: number | null;

  @ApiProperty({ description: 'Why the attempt failed, in plain words.' })
  error!: string;
}

const LAST_FAILURE_SCHEMA = {
  type: LastFailureResponse,
  nullable: true,
  description:
    'The last failed attempt, however long ago it was; null if no attempt has failed, or if Galley no longer keeps the attempt.',
};

class RecentHourResponse extends OutcomesResponse {
  @ApiProperty({ description: 'When the hour begins.' })
  at!: Date;
}

export class RecentStatisticsResponse extends CountsResponse implements RecentStatistics {
  @ApiProperty({
    type: [RecentHourResponse],
    description: 'The current hour and the 23 hours before it, oldest first.',
  })
  perHour!: RecentHourResponse[];

  @ApiProperty(LAST_FAILURE_SCHEMA)
  lastFailure!: LastFailureResponse | null;
}

const COUNT_LIMIT = 'Galley stops counting at 1,000, so 1,000 means 1,000 or more.';

export class HealthReportResponse implements HealthReport {
  @ApiProperty(enumProperty('WebhookHealth'))
  health!: EndpointHealth;

  @ApiProperty({
    type: 'integer',
    description:
      'The number of attempts that have failed since the last success, or since the webhook was enabled, whichever is later.',
  })
  consecutiveFailures!: number;

  @ApiProperty({
    ...TIME_SCHEMA,
    nullable: true,
    description:
      'When the current series of failed attempts began; null if `consecutiveFailures` is 0. If an attempt fails more than 36 hours after the previous failure, a new series begins, but `consecutiveFailures` also counts the failures before the new series.',
  })
  failingSince!: Date | null;

  @ApiProperty({
    ...TIME_SCHEMA,
    nullable: true,
    description: 'Galley begins no attempt before this time; null if the webhook is not paused.',
  })
  pausedUntil!: Date | null;

  @ApiProperty({
    ...enumProperty('PauseReason'),
    nullable: true,
    description: 'Why the webhook is paused; null if it is not paused.',
  })
  pauseReason!: PauseReason | null;

  @ApiProperty({ type: 'integer', description: 'The number of attempts in flight.' })
  inFlight!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'How many attempts may be in flight at the same time, from 1 to 100. The number grows while attempts succeed, and is halved when attempts fail.',
  })
  concurrency!: number;

  @ApiProperty({
    type: 'integer',
    description: `The number of pending deliveries. ${COUNT_LIMIT}`,
  })
  pending!: number;

  @ApiProperty({
    type: 'integer',
    description: `The number of deliveries that are held until the webhook is enabled. ${COUNT_LIMIT}`,
  })
  held!: number;

  @ApiProperty({
    ...TIME_SCHEMA,
    nullable: true,
    description:
      'The earliest time of the next attempt; null if the webhook is disabled or no delivery waits for its next attempt. With `rateLimit`, or while held deliveries are sent, the attempt may be later.',
  })
  nextAttemptAt!: Date | null;

  @ApiProperty(LAST_FAILURE_SCHEMA)
  lastFailure!: LastFailureResponse | null;
}
