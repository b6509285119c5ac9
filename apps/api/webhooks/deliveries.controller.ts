import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import type { Actor } from '#identity';
import { Deliveries, DeliveryLog } from '#webhooks';
import { CurrentActor } from '../auth/actor.decorator.js';
import { PathId } from '../http/path-id.js';
import { ListDeliveriesQuery } from './webhooks.dto.js';

@Controller('api/webhooks/:id/deliveries')
export class DeliveriesController {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly log: DeliveryLog,
  ) {}

  @Get()
  list(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Query() query: ListDeliveriesQuery,
  ) {
    return this.log.list(actor, id, query);
  }

  @Post('cancel')
  @HttpCode(200)
  cancelAll(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.deliveries.cancelAll(actor, id);
  }

  @Get(':deliveryId')
  get(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @PathId('delivery', 'deliveryId') deliveryId: string,
  ) {
    return this.log.get(actor, id, deliveryId);
  }

  @Post(':deliveryId/retry')
  @HttpCode(202)
  retry(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @PathId('delivery', 'deliveryId') deliveryId: string,
  ) {
    return this.deliveries.retry(actor, id, deliveryId);
  }

  @Post(':deliveryId/cancel')
  @HttpCode(204)
  cancel(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @PathId('delivery', 'deliveryId') deliveryId: string,
  ) {
    return this.deliveries.cancel(actor, id, deliveryId);
  }
}
