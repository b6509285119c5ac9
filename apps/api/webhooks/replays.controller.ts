import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Actor } from '#identity';
import { Replays } from '#webhooks';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { PathId } from '../http/path-id.js';
import { ReplayDto } from './replays.dto.js';

@Controller('api/webhooks/:id/replays')
export class ReplaysController {
  constructor(private readonly replays: Replays) {}

  @Post()
  async start(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Body() { dryRun = false, since, until, ...filter }: ReplayDto,
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
    void reply.status(202);
    return this.replays.start(actor, id, wanted);
  }

  @Get()
  list(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.replays.list(actor, id);
  }

  @Post(':replayId/cancel')
  @HttpCode(200)
  cancel(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @PathId('replay', 'replayId') replayId: string,
  ) {
    return this.replays.cancel(actor, id, replayId);
  }
}
