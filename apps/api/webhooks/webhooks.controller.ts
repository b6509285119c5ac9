import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Precondition } from '#errors';
import type { Actor } from '#workspaces';
import {
  DeliveryActions,
  Endpoints,
  EndpointSecrets,
  EndpointLifecycle,
  type Endpoint,
} from '#webhooks';
import { CurrentActor } from '../auth/actor.decorator.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import { IfMatch } from '../operations/if-match.js';
import { Operation } from '../operations/operation.js';
import { PathId } from '../validation/path-params.js';
import { DeliveryResponse } from './deliveries.responses.js';
import {
  CreatedWebhookResponse,
  TransitionsResponse,
  WebhookResponse,
  WebhookPageResponse,
  WebhookSecretResponse,
} from './webhooks.responses.js';
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
    private readonly lifecycle: EndpointLifecycle,
    private readonly secrets: EndpointSecrets,
    private readonly deliveryActions: DeliveryActions,
  ) {}

  @Operation({
    id: 'listWebhooks',
    summary: 'List the webhooks of a workspace',
    role: 'admin',
    description:
      'The most recently changed webhook comes first. A new status counts as a change. The statistics that `stats=true` adds are not part of the webhook: new statistics do not change its `updatedAt` or ETag.',
    response: WebhookPageResponse,
  })
  @Get()
  list(@CurrentActor() actor: Actor, @QueryDto() query: ListWebhooksQuery) {
    return this.endpoints.list(actor, query);
  }

  @Operation({
    id: 'getWebhook',
    summary: 'Get a webhook',
    role: 'admin',
    response: WebhookResponse,
    etag: true,
  })
  @Get(':id')
  get(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.endpoints.get(actor, id);
  }

  @Operation({
    id: 'createWebhook',
    summary: 'Create a webhook',
    role: 'admin',
    description:
      'The response contains the secret. To get the secret again later, use `getWebhookSecret`.',
    status: 201,
    response: CreatedWebhookResponse,
    etag: true,
    location: ({ id }: Endpoint) => `/api/webhooks/${id}`,
    errors: { limit_reached: 'The workspace has 1,000 webhooks (`MAX_WEBHOOKS`).' },
    idempotent: true,
  })
  @Post()
  create(@CurrentActor() actor: Actor, @BodyDto() body: CreateWebhookDto) {
    return this.endpoints.create(actor, body);
  }

  @Operation({
    id: 'updateWebhook',
    summary: 'Update a webhook',
    role: 'admin',
    description: 'Send at least one of the fields; the other fields keep their values.',
    response: WebhookResponse,
    etag: true,
    ifMatch: true,
  })
  @Put(':id')
  update(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @BodyDto() body: UpdateWebhookDto,
    @IfMatch() precondition: Precondition,
  ) {
    const changes = requireAtLeastOne(body, [
      ...(['url', 'events', 'resourceIds', 'description', 'headers'] as const),
      ...(['rateLimit', 'ordered', 'status'] as const),
    ]);
    return this.endpoints.update(actor, id, changes, precondition);
  }

  @Operation({
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    role: 'admin',
    description: 'Deletes the webhook and its pending deliveries.',
    status: 204,
    ifMatch: true,
    errors: {
      stale:
        'The webhook has changed since you read it; the header `ETag` has its current ETag. If a webhook has thousands of pending deliveries, Galley disables the webhook, deletes these deliveries, and then deletes the webhook. If somebody changes the webhook before the last step, you also get 412: Galley keeps the webhook, but its pending deliveries are lost. The webhook stays disabled unless that change enabled it.',
    },
  })
  @Delete(':id')
  delete(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @IfMatch() precondition: Precondition,
  ) {
    return this.endpoints.delete(actor, id, precondition);
  }

  @Operation({
    id: 'enableWebhook',
    summary: 'Enable a webhook',
    role: 'admin',
    description:
      'Enables the webhook. With `held`, you choose whether Galley sends or cancels the deliveries that were held while the webhook was disabled.',
    response: WebhookResponse,
    etag: true,
    optionalBody: true,
    errors: {
      conflict: '`held` is `discard`, but the webhook is not disabled and holds no deliveries.',
    },
  })
  @Post(':id/enable')
  async enable(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @BodyDto() { held = 'send' }: EnableWebhookDto,
  ) {
    return this.endpoints.toEndpoint(await this.lifecycle.enable(actor, id, held));
  }

  @Operation({
    id: 'disableWebhook',
    summary: 'Disable a webhook',
    role: 'admin',
    description: 'Holds the deliveries of the webhook until the webhook is enabled again.',
    response: WebhookResponse,
    etag: true,
  })
  @Post(':id/disable')
  async disable(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.endpoints.toEndpoint(await this.lifecycle.disable(actor, id));
  }

  @Operation({
    id: 'listWebhookTransitions',
    summary: 'List the status changes of a webhook',
    description: 'Returns the latest 100 status changes, newest first, without pagination.',
    role: 'admin',
    response: TransitionsResponse,
  })
  @Get(':id/transitions')
  async transitions(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return { data: await this.lifecycle.listTransitions(actor, id) };
  }

  @Operation({
    id: 'getWebhookSecret',
    summary: 'Reveal the secret of a webhook',
    role: 'admin',
    description: 'Each call adds an entry to the audit log.',
    response: WebhookSecretResponse,
  })
  @Get(':id/secret')
  getSecret(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.secrets.reveal(actor, id);
  }

  @Operation({
    id: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    role: 'admin',
    description:
      'For the next `overlapHours` hours, Galley signs notifications with both the new secret and the previous secret.',
    response: WebhookSecretResponse,
    optionalBody: true,
    errors: {
      limit_reached:
        'Four earlier secrets still sign notifications. Wait until one of them expires, or send `overlapHours: 0`, which ends all of them immediately.',
    },
    idempotent: true,
  })
  @Post(':id/secret/rotate')
  rotate(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @BodyDto() { overlapHours = DEFAULT_OVERLAP_HOURS }: RotateSecretDto,
  ) {
    return this.secrets.rotate(actor, id, overlapHours);
  }

  @Operation({
    id: 'testWebhook',
    summary: 'Send a test notification',
    role: 'admin',
    description:
      'Sends a `webhook.test` event to this webhook only. The response contains the delivery of the event; `getDelivery` later shows the result of the delivery.',
    status: 202,
    response: DeliveryResponse,
    errors: { webhook_disabled: 'The webhook is disabled.' },
    idempotent: true,
  })
  @Post(':id/test')
  test(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.deliveryActions.sendTest(actor, id);
  }
}
