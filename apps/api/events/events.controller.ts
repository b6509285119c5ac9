import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#workspaces';
import { EventFeed } from '#webhooks';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../http/operation.js';
import { FeedPageResponse } from './events.responses.js';
import { ReadEventsQuery } from './events.dto.js';

@ApiTags('Events')
@Controller('api/events')
export class EventsController {
  constructor(private readonly eventFeed: EventFeed) {}

  @Operation({
    id: 'readEvents',
    summary: 'Read the events of a workspace',
    role: 'viewer',
    description:
      'Returns events in a stable order, oldest first: a new event never gets a position below one that you have read. An event appears about a second after its change. Galley keeps events for 30 days (`RETENTION_DAYS`). Positions have no gaps. If the first position is greater than `after` plus one, Galley has deleted the events between: read all templates and modules again, and continue from this position.',
    response: FeedPageResponse,
  })
  @Get()
  read(@CurrentActor() actor: Actor, @Query() query: ReadEventsQuery) {
    return this.eventFeed.read(actor, query);
  }
}
