import { ApiProperty } from '@nestjs/swagger';
import type { EventPattern } from '#events';
import type { Endpoint, EndpointStatus, StatusTransition } from '#webhooks';
import { enumListProperty, enumProperty } from '../validation/enums.js';
import { ID_SCHEMA, PageOf } from '../validation/schemas.js';

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
    description: 'Only events of these templates and modules; null for all of them.',
  })
  resourceIds!: string[] | null;

  @ApiProperty({ description: 'A description of your choice.' })
  description!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Your own headers, with `********` instead of each value. If you send the placeholder back, the value stays.',
  })
  headers!: Record<string, string>;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The largest number of attempts a second; null for no limit.',
  })
  rateLimit!: number | null;

  @ApiProperty({ description: 'Whether events of one resource are sent one after the other.' })
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
    description: 'The time of the last change. Each change sets a different time.',
  })
  updatedAt!: Date;
}

const SECRET_SCHEMA = {
  pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
  description: 'The secret that signs the notifications.',
};

export class CreatedWebhookResponse extends WebhookResponse {
  @ApiProperty(SECRET_SCHEMA)
  secret!: string;
}

export class WebhookPageResponse extends PageOf(WebhookResponse) {}

export class WebhookSecretResponse {
  @ApiProperty(SECRET_SCHEMA)
  secret!: string;
}

class TransitionResponse implements StatusTransition {
  @ApiProperty({
    type: 'integer',
    description: 'The `X-Service-Sequence` header of the event about this change.',
  })
  sequence!: number;

  @ApiProperty(enumProperty('WebhookStatus'))
  status!: EndpointStatus;

  @ApiProperty({ description: 'In plain words.' })
  reason!: string;

  @ApiProperty({ description: 'The time of the change.' })
  at!: Date;
}

export class TransitionsResponse {
  @ApiProperty({ type: [TransitionResponse], description: 'The latest 100, newest first.' })
  data!: TransitionResponse[];
}
