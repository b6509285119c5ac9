import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import { Deliveries, DeliveryLog } from '#webhooks';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operates } from '../http/operation.js';
import { PathId } from '../http/path-id.js';
import {
  CancelledAnswer,
  DeliveryAnswer,
  DeliveryDetailsAnswer,
  DeliveryPageAnswer,
  RetriedAnswer,
} from './deliveries.answers.js';
import { ListDeliveriesQuery } from './webhooks.dto.js';

@ApiTags('Deliveries')
@Controller('api/webhooks/:id/deliveries')
export class DeliveriesController {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly log: DeliveryLog,
  ) {}

  @Operates({
    ...{ id: 'listDeliveries', summary: 'List the deliveries of a webhook' },
    ...{ role: 'admin' },
    description:
      'What was made last comes first. With filters a page may end early, even without any deliveries: follow `nextCursor` until it is null.',
    answer: DeliveryPageAnswer,
  })
  @Get()
  list(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Query() query: ListDeliveriesQuery,
  ) {
    return this.log.list(actor, id, query);
  }

  @Operates({
    ...{ id: 'cancelDeliveries', summary: 'Cancel all that is pending or held', role: 'admin' },
    ...{ description: 'But for what is under way right now.', answer: CancelledAnswer },
  })
  @Post('cancel')
  cancelAll(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.deliveries.cancelAll(actor, id);
  }

  @Operates({
    ...{ id: 'retryDeliveries', summary: 'Send all that is pending now', role: 'admin' },
    description:
      'Also what would be tried again later, at most fifty a second. With `ordered`, a delivery still waits for the earlier ones of its resource.',
    ...{ status: 202, answer: RetriedAnswer },
    errors: { conflict: 'The webhook is disabled.' },
  })
  @Post('retry')
  retryAll(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.deliveries.retryAll(actor, id);
  }

  @Operates({
    id: 'getDelivery',
    summary: 'Get a delivery with its latest attempts',
    role: 'admin',
    answer: DeliveryDetailsAnswer,
  })
  @Get(':deliveryId')
  get(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @PathId('delivery', 'deliveryId') deliveryId: string,
  ) {
    return this.log.get(actor, id, deliveryId);
  }

  @Operates({
    ...{ id: 'retryDelivery', summary: 'Attempt a delivery once more', role: 'admin' },
    description:
      'Before all that waits. What was delivered stays in the log, and its event is sent again as a new delivery; otherwise it is the same delivery. `getDelivery` shows what comes of the attempt.',
    ...{ status: 202, answer: DeliveryAnswer },
    errors: {
      conflict:
        'It is under way right now, or waits for an earlier one of its resource; or the webhook is disabled.',
    },
    once: true,
  })
  @Post(':deliveryId/retry')
  retry(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @PathId('delivery', 'deliveryId') deliveryId: string,
  ) {
    return this.deliveries.retry(actor, id, deliveryId);
  }

  @Operates({
    ...{ id: 'cancelDelivery', summary: 'Cancel a delivery', role: 'admin', status: 204 },
    errors: { conflict: 'It is over, or under way right now.' },
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
