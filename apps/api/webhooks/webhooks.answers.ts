import { ApiProperty } from '@nestjs/swagger';
import type { EventPattern } from '#events';
import type { Endpoint, EndpointStatus, Transition } from '#webhooks';
import { listOf, oneOf } from '../http/enums.js';
import { ID, PageOf } from '../http/schemas.js';

export class WebhookAnswer implements Endpoint {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty(ID)
  workspaceId!: string;

  @ApiProperty({ description: 'Where notifications go.' })
  url!: string;

  @ApiProperty({ ...listOf('SubscribableKind'), description: 'What it is told of.' })
  events!: EventPattern[];

  @ApiProperty({
    ...{ type: 'array', items: { type: 'string', format: 'uuid' }, nullable: true },
    description: 'Only events of these templates and modules; null for all.',
  })
  resourceIds!: string[] | null;

  @ApiProperty({ description: 'What it is for, in words of your own.' })
  description!: string;

  @ApiProperty({
    ...{ type: 'object', additionalProperties: { type: 'string' } },
    description:
      'Headers of its own, each with `********` for its value, which is not shown. Put back as it is, that leaves the value as it was.',
  })
  headers!: Record<string, string>;

  @ApiProperty({
    ...{ type: 'integer', nullable: true },
    description: 'Attempts a second at most; null for no limit.',
  })
  rateLimit!: number | null;

  @ApiProperty({ description: 'Whether the events of a resource wait for each other.' })
  ordered!: boolean;

  @ApiProperty(oneOf('WebhookStatus'))
  status!: EndpointStatus;

  @ApiProperty({
    ...{ type: String, nullable: true },
    description: 'Why it has its status, in plain words; null when it has had no other.',
  })
  statusReason!: string | null;

  @ApiProperty({ description: 'Since when it has its status.' })
  statusSince!: Date;

  @ApiProperty({ description: 'When it was made.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it was last changed; never the same after a change.' })
  updatedAt!: Date;
}

const SECRET = {
  pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
  description: 'What notifications are signed with.',
};

export class CreatedWebhookAnswer extends WebhookAnswer {
  @ApiProperty(SECRET)
  secret!: string;
}

export class WebhookPageAnswer extends PageOf(WebhookAnswer) {}

export class WebhookSecretAnswer {
  @ApiProperty(SECRET)
  secret!: string;
}

class TransitionAnswer implements Transition {
  @ApiProperty({
    type: 'integer',
    description: '`X-Service-Sequence` of the event that tells of it.',
  })
  sequence!: number;

  @ApiProperty(oneOf('WebhookStatus'))
  status!: EndpointStatus;

  @ApiProperty({ description: 'In plain words.' })
  reason!: string;

  @ApiProperty({ description: 'When it changed.' })
  at!: Date;
}

export class TransitionsAnswer {
  @ApiProperty({ type: [TransitionAnswer], description: 'The latest 100, newest first.' })
  data!: TransitionAnswer[];
}
