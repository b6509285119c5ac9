import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Actor } from '#workspaces';
import { Replays } from '#webhooks';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { BodyDto } from '../validation/inputs.js';
import { PathId } from '../validation/path-params.js';
import { ReplayResponse, ReplayCountResponse, ReplaysResponse } from './deliveries.responses.js';
import { StartReplayDto } from './replays.dto.js';

@ApiTags('Deliveries')
@Controller('api/webhooks/:id/replays')
export class ReplaysController {
  constructor(private readonly replays: Replays) {}

  @Operation({
    id: 'startReplay',
    summary: 'Replay finished deliveries',
    role: 'admin',
    description:
      'Replays finished deliveries in the background: Galley creates a new delivery for each matching delivery. `listReplays` shows the progress. With `dryRun`, Galley sends nothing, and responds with 200 and the number of deliveries that match now.',
    status: 202,
    response: ReplayResponse,
    errors: { still_running: 'Another replay of the webhook is running.' },
    idempotent: true,
  })
  @ApiResponse({
    status: 200,
    description: 'With `dryRun`: the number of matching deliveries.',
    type: ReplayCountResponse,
  })
  @Post()
  async start(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @BodyDto() { dryRun = false, since, until, ...fields }: StartReplayDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const filter = {
      ...fields,
      since: new Date(since),
      ...(until !== undefined && { until: new Date(until) }),
    };
    if (dryRun) {
      void reply.status(200);
      return this.replays.count(actor, id, filter);
    }
    return this.replays.start(actor, id, filter);
  }

  @Operation({
    id: 'listReplays',
    summary: 'List the replays of a webhook',
    role: 'admin',
    description: 'Returns the latest 100 replays, newest first, without pagination.',
    response: ReplaysResponse,
  })
  @Get()
  list(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.replays.list(actor, id);
  }

  @Operation({
    id: 'cancelReplay',
    summary: 'Cancel a replay',
    role: 'admin',
    response: ReplayResponse,
    description:
      'Cancels the replay and its pending deliveries, except deliveries that are being sent right now. You can also cancel the pending deliveries of a replay that is `done`.',
    errors: { already_finished: 'The replay is `done`, and no delivery of the replay is pending.' },
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
