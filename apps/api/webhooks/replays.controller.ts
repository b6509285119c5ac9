import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import { Replays } from '#webhooks';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operates } from '../http/operation.js';
import { PathId } from '../http/path-id.js';
import { ReplayAnswer, ReplayCountAnswer, ReplaysAnswer } from './deliveries.answers.js';
import { StartReplayDto } from './replays.dto.js';

@ApiTags('Deliveries')
@Controller('api/webhooks/:id/replays')
export class ReplaysController {
  constructor(private readonly replays: Replays) {}

  @Operates({
    ...{ id: 'startReplay', summary: 'Deliver again what is over', role: 'admin' },
    description:
      'Long work: `listReplays` shows how far it is. With `dryRun` nothing is sent, and the answer is 200 and how many there are, counted anew each time.',
    ...{ status: 202, answer: ReplayAnswer },
    errors: { conflict: 'Another replay of the webhook runs.' },
    once: true,
  })
  @ApiResponse({ status: 200, description: 'With `dryRun`.', type: ReplayCountAnswer })
  @Post()
  async start(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Body() { dryRun = false, since, until, ...filter }: StartReplayDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const wanted = {
      ...filter,
      since: new Date(since),
      ...(until !== undefined && { until: new Date(until) }),
    };
    if (dryRun) {
      void reply.status(200);
      return this.replays.count(actor, id, wanted);
    }
    return this.replays.start(actor, id, wanted);
  }

  @Operates({
    ...{ id: 'listReplays', summary: 'List the replays of a webhook', role: 'admin' },
    description: 'The latest 100, newest first; there are no pages.',
    answer: ReplaysAnswer,
  })
  @Get()
  list(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.replays.list(actor, id);
  }

  @Operates({
    ...{ id: 'cancelReplay', summary: 'Cancel a replay', role: 'admin', answer: ReplayAnswer },
    description: 'And the deliveries that it has made, but for those that are under way.',
    errors: { conflict: 'The replay is over.' },
  })
  @Post(':replayId/cancel')
  cancel(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @PathId('replay', 'replayId') replayId: string,
  ) {
    return this.replays.cancel(actor, id, replayId);
  }
}
