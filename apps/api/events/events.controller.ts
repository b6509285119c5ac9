import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#workspaces';
import { EventFeed } from '#webhooks';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { QueryDto } from '../validation/inputs.js';
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
      'Returns the events of the workspace, oldest first. The order never changes: a new event always has a higher position than all events that you have read. An event appears about a second after the change. Galley keeps events for 30 days (`RETENTION_DAYS`). Positions have gaps only after a backup was restored. If the position of the first event in the response is greater than `after` plus one, events in between are missing, usually because Galley has deleted them. Read all templates and modules again, and continue with the first event of the response.',
    response: FeedPageResponse,
  })
  @Get()
  read(@CurrentActor() actor: Actor, @QueryDto() query: ReadEventsQuery) {
    return this.eventFeed.read(actor, query);
  }
}
