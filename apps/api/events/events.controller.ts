import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import { Feed } from '#webhooks';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operates } from '../http/operation.js';
import { FeedPageAnswer } from './events.answers.js';
import { ReadEventsQuery } from './events.dto.js';

@ApiTags('Events')
@Controller('api/events')
export class EventsController {
  constructor(private readonly feed: Feed) {}

  @Operates({
    ...{ id: 'readEvents', summary: 'Read the events of a workspace', role: 'viewer' },
    description:
      'Oldest first, in an order that stays: nothing ever appears before a position that has been read. Events are here after a second, and for 30 days (`RETENTION_DAYS`). Positions have no gaps: if the first one is greater than `after` plus one, what lies between is no longer kept. Then read the templates and modules anew, and go on from here.',
    answer: FeedPageAnswer,
  })
  @Get()
  read(@CurrentActor() actor: Actor, @Query() query: ReadEventsQuery) {
    return this.feed.read(actor, query);
  }
}
