import { ApiProperty } from '@nestjs/swagger';
import type { EventPattern } from '#events';
import type { Endpoint, EndpointStatus, ListedEndpoint, StatusTransition } from '#webhooks';
import { enumListProperty, enumProperty } from '../validation/enums.js';
import { ID_SCHEMA, PageOf } from '../validation/schemas.js';
import { RecentStatisticsResponse } from './statistics.responses.js';

export class WebhookResponse implements Endpoint {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty(ID_SCHEMA)
  workspaceId!: string;

  @ApiProperty({ description: 'The URL that receives notifications.' })
  url!: string;

  @ApiProperty({
    ...enumListProperty('SubscribableKind'),
    description: 'The events that the webhook receives.',
  })
  events!: EventPattern[];

  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    nullable: true,
    description:
      'The ids of the templates, modules and webhooks whose events the webhook receives; null for the events of all resources.',
  })
  resourceIds!: string[] | null;

  @ApiProperty({ description: 'A description of your choice.' })
  description!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Your own headers, with `********` instead of each value. To keep a value in an update, send `********` back.',
  })
  headers!: Record<string, string>;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The maximum number of attempts per second; null for no limit.',
  })
  rateLimit!: number | null;

  @ApiProperty({
    description:
      'Whether Galley sends the events of a resource in order, and sends each event only after the delivery of the previous event is finished.',
  })
  ordered!: boolean;

  @ApiProperty(enumProperty('WebhookStatus'))
  status!: EndpointStatus;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Why the webhook has its status, in plain words; null if the status has never changed.',
  })
  statusReason!: string | null;

  @ApiProperty({ description: 'When the status last changed.' })
  statusSince!: Date;

  @ApiProperty({ description: 'The time of creation.' })
  createdAt!: Date;

  @ApiProperty({
    description: 'The time of the last change. Two changes of a resource never have the same time.',
  })
  updatedAt!: Date;
}

const SECRET_SCHEMA = {
  pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
  description:
    'The secret that signs notifications. The part after `whsec_` is the HMAC key in base64.',
};

export class CreatedWebhookResponse extends WebhookResponse {
  @ApiProperty(SECRET_SCHEMA)
  secret!: string;
}

class ListedWebhookResponse extends WebhookResponse implements ListedEndpoint {
  @ApiProperty({
    type: RecentStatisticsResponse,
    required: false,
    description: 'The statistics of the last 24 hours; sent only with `stats=true`.',
  })
  stats?: RecentStatisticsResponse;
}

export class WebhookPageResponse extends PageOf(ListedWebhookResponse) {}

export class WebhookSecretResponse {
  @ApiProperty(SECRET_SCHEMA)
  secret!: string;
}

class TransitionResponse implements StatusTransition {
  @ApiProperty({
    type: 'integer',
    description:
      'The sequence number of the event about this status change. The notification has the same number in its `X-Service-Sequence` header. Each webhook has its own sequence.',
  })
  sequence!: number;

  @ApiProperty(enumProperty('WebhookStatus'))
  status!: EndpointStatus;

  @ApiProperty({ description: 'Why the status changed, in plain words.' })
  reason!: string;

  @ApiProperty({ description: 'The time of the status change.' })
  at!: Date;
}

export class TransitionsResponse {
  @ApiProperty({
    type: [TransitionResponse],
    description: 'The latest 100 status changes, newest first.',
  })
  data!: TransitionResponse[];
}
