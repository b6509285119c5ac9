import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#workspaces';
import { DeliveryActions, DeliveryLog } from '#webhooks';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { QueryDto } from '../validation/inputs.js';
import { PathId } from '../validation/path-params.js';
import {
  CancelledResponse,
  DeliveryResponse,
  DeliveryDetailsResponse,
  DeliveryPageResponse,
  RetriedResponse,
} from './deliveries.responses.js';
import { ListDeliveriesQuery } from './webhooks.dto.js';

@ApiTags('Deliveries')
@Controller('api/webhooks/:id/deliveries')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveryActions,
    private readonly deliveryLog: DeliveryLog,
  ) {}

  @Operation({
    id: 'listDeliveries',
    summary: 'List the deliveries of a webhook',
    role: 'admin',
    description:
      'The newest delivery comes first. With filters, a page may have fewer deliveries than `limit`, or no deliveries at all, even if more pages follow. Continue until `nextCursor` is null.',
    response: DeliveryPageResponse,
  })
  @Get()
  list(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @QueryDto() query: ListDeliveriesQuery,
  ) {
    return this.deliveryLog.list(actor, id, query);
  }

  @Operation({
    id: 'cancelDeliveries',
    summary: 'Cancel all pending and held deliveries of a webhook',
    role: 'admin',
    description: 'Deliveries that are being sent right now are not cancelled.',
    response: CancelledResponse,
  })
  @Post('cancel')
  cancelAll(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.deliveries.cancelAll(actor, id);
  }

  @Operation({
    id: 'retryDeliveries',
    summary: 'Send all pending deliveries of a webhook now',
    role: 'admin',
    description:
      'Sends all pending deliveries now, at most fifty a second, including those that wait for a retry. With `ordered`, a delivery still waits for earlier deliveries of its resource.',
    status: 202,
    response: RetriedResponse,
    errors: { webhook_disabled: 'The webhook is disabled.' },
  })
  @Post('retry')
  retryAll(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.deliveries.retryAll(actor, id);
  }

  @Operation({
    id: 'getDelivery',
    summary: 'Get a delivery with its latest attempts',
    role: 'admin',
    response: DeliveryDetailsResponse,
  })
  @Get(':deliveryId')
  get(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @PathId('delivery', 'deliveryId') deliveryId: string,
  ) {
    return this.deliveryLog.get(actor, id, deliveryId);
  }

  @Operation({
    id: 'retryDelivery',
    summary: 'Retry a delivery',
    role: 'admin',
    description:
      'Makes one more attempt, ahead of all other pending deliveries. If the delivery is already `delivered`, Galley makes the attempt for a new delivery of the same event, and the old delivery stays in the log. `getDelivery` shows the result of the attempt.',
    status: 202,
    response: DeliveryResponse,
    errors: {
      in_progress: 'The delivery is being sent right now.',
      conflict: 'The delivery waits for an earlier delivery of its resource.',
      webhook_disabled: 'The webhook is disabled.',
    },
    idempotent: true,
  })
  @Post(':deliveryId/retry')
  retry(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @PathId('delivery', 'deliveryId') deliveryId: string,
  ) {
    return this.deliveries.retry(actor, id, deliveryId);
  }

  @Operation({
    id: 'cancelDelivery',
    summary: 'Cancel a delivery',
    role: 'admin',
    status: 204,
    errors: {
      already_finished: 'The delivery has already finished.',
      in_progress: 'The delivery is being sent right now.',
    },
  })
  @Post(':deliveryId/cancel')
  cancel(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @PathId('delivery', 'deliveryId') deliveryId: string,
  ) {
    return this.deliveries.cancel(actor, id, deliveryId);
  }
}
