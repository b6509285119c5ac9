import { Controller, Get, Query } from '@nestjs/common';
import type { Actor } from '#identity';
import { Feed } from '#webhooks';
import { CurrentActor } from '../auth/actor.decorator.js';
import { ReadEventsQuery } from './events.dto.js';

@Controller('api/events')
export class EventsController {
  constructor(private readonly feed: Feed) {}

  @Get()
  read(@CurrentActor() actor: Actor, @Query() query: ReadEventsQuery) {
    return this.feed.read(actor, query);
  }
}
