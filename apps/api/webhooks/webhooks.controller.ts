import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Precondition } from '#errors';
import type { Actor } from '#identity';
import { Endpoints, EndpointSecrets, EndpointStates, type Endpoint } from '#webhooks';
import { CurrentActor } from '../auth/actor.decorator.js';
import { requireOneOf } from '../http/at-least-one.js';
import { IfMatch } from '../http/if-match.js';
import { Operates } from '../http/operation.js';
import { PathId } from '../http/path-id.js';
import { DeliveryAnswer } from './deliveries.answers.js';
import {
  CreatedWebhookAnswer,
  TransitionsAnswer,
  WebhookAnswer,
  WebhookPageAnswer,
  WebhookSecretAnswer,
} from './webhooks.answers.js';
import {
  CreateWebhookDto,
  DEFAULT_OVERLAP_HOURS,
  EnableWebhookDto,
  ListWebhooksQuery,
  RotateSecretDto,
  UpdateWebhookDto,
} from './webhooks.dto.js';

@ApiTags('Webhooks')
@Controller('api/webhooks')
export class WebhooksController {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly states: EndpointStates,
    private readonly secrets: EndpointSecrets,
  ) {}

  @Operates({
    ...{ id: 'listWebhooks', summary: 'List the webhooks of a workspace', role: 'admin' },
    description: 'What was changed last comes first, its status included.',
    answer: WebhookPageAnswer,
  })
  @Get()
  list(@CurrentActor() actor: Actor, @Query() query: ListWebhooksQuery) {
    return this.endpoints.list(actor, query);
  }

  @Operates({
    ...{ id: 'getWebhook', summary: 'Get a webhook', role: 'admin' },
    ...{ answer: WebhookAnswer, tagged: true },
  })
  @Get(':id')
  get(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.endpoints.get(actor, id);
  }

  @Operates({
    ...{ id: 'createWebhook', summary: 'Create a webhook', role: 'admin' },
    description: 'The answer shows the secret; later only `getWebhookSecret` does.',
    ...{ status: 201, answer: CreatedWebhookAnswer, tagged: true },
    location: ({ id }: Endpoint) => `/api/webhooks/${id}`,
    once: true,
  })
  @Post()
  create(@CurrentActor() actor: Actor, @Body() body: CreateWebhookDto) {
    return this.endpoints.create(actor, body);
  }

  @Operates({
    ...{ id: 'updateWebhook', summary: 'Update a webhook', role: 'admin' },
    description: 'Takes any of the fields, at least one, and leaves the others as they are.',
    ...{ answer: WebhookAnswer, tagged: true, conditional: true },
  })
  @Put(':id')
  update(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Body() body: UpdateWebhookDto,
    @IfMatch() state: Precondition,
  ) {
    const change = requireOneOf(body, [
      ...(['url', 'events', 'resourceIds', 'description', 'headers'] as const),
      ...(['rateLimit', 'ordered', 'status'] as const),
    ]);
    return this.endpoints.update(actor, id, change, state);
  }

  @Operates({
    ...{ id: 'deleteWebhook', summary: 'Delete a webhook', role: 'admin' },
    ...{ description: 'What was still to be sent to it goes with it.' },
    ...{ status: 204, conditional: true },
    errors: {
      stale:
        'Somebody has changed it since you read it; `ETag` is that of its state now. One with thousands of deliveries that wait is disabled and rid of them first: changed meanwhile, it may be left so.',
    },
  })
  @Delete(':id')
  delete(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @IfMatch() state: Precondition,
  ) {
    return this.endpoints.delete(actor, id, state);
  }

  @Operates({
    ...{ id: 'enableWebhook', summary: 'Enable a webhook', role: 'admin' },
    description: 'What was held while it was disabled is sent, or discarded before.',
    ...{ answer: WebhookAnswer, tagged: true },
    optionalBody: true,
    errors: { conflict: 'What is held is to be discarded, but the webhook is not disabled.' },
  })
  @Post(':id/enable')
  async enable(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Body() { held = 'send' }: EnableWebhookDto,
  ) {
    return this.endpoints.shown(await this.states.enable(actor, id, held));
  }

  @Operates({
    ...{ id: 'disableWebhook', summary: 'Disable a webhook', role: 'admin' },
    description: 'Its events are held until it is enabled again.',
    ...{ answer: WebhookAnswer, tagged: true },
  })
  @Post(':id/disable')
  async disable(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.endpoints.shown(await this.states.disable(actor, id));
  }

  @Operates({
    ...{ id: 'listWebhookTransitions', summary: 'See how the status of a webhook changed' },
    description: 'The latest 100, newest first; there are no pages.',
    ...{ role: 'admin', answer: TransitionsAnswer },
  })
  @Get(':id/transitions')
  async transitions(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return { data: await this.states.transitions(actor, id) };
  }

  @Operates({
    ...{ id: 'getWebhookSecret', summary: 'Reveal the secret of a webhook', role: 'admin' },
    ...{ description: 'It leaves an entry in the audit log.', answer: WebhookSecretAnswer },
  })
  @Get(':id/secret')
  reveal(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.secrets.reveal(actor, id);
  }

  @Operates({
    ...{ id: 'rotateWebhookSecret', summary: 'Replace the secret of a webhook', role: 'admin' },
    description: 'Until the overlap is over notifications are signed with both.',
    ...{ answer: WebhookSecretAnswer, optionalBody: true },
    errors: { conflict: 'Four earlier secrets still sign.' },
    once: true,
  })
  @Post(':id/secret/rotate')
  rotate(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Body() { overlapHours = DEFAULT_OVERLAP_HOURS }: RotateSecretDto,
  ) {
    return this.secrets.rotate(actor, id, overlapHours);
  }

  @Operates({
    ...{ id: 'testWebhook', summary: 'Send a test notification', role: 'admin' },
    description:
      'A `webhook.test` to this webhook alone. The answer is its delivery; `getDelivery` shows what comes of it.',
    ...{ status: 202, answer: DeliveryAnswer, errors: { conflict: 'The webhook is disabled.' } },
    once: true,
  })
  @Post(':id/test')
  test(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.endpoints.test(actor, id);
  }
}
