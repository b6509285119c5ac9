import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import type { Precondition } from '#errors';
import type { Actor } from '#identity';
import { Endpoints, EndpointSecrets, EndpointStates } from '#webhooks';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { requireOneOf } from '../http/at-least-one.js';
import { created } from '../http/created.js';
import { IfMatch, tagged } from '../http/entity-tag.js';
import { PathId } from '../http/path-id.js';
import {
  CreateWebhookDto,
  EnableWebhookDto,
  ListWebhooksQuery,
  RotateSecretDto,
  UpdateWebhookDto,
} from './webhooks.dto.js';

const DEFAULT_OVERLAP_HOURS = 24;

@Controller('api/webhooks')
export class WebhooksController {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly states: EndpointStates,
    private readonly secrets: EndpointSecrets,
  ) {}

  @Get()
  list(@CurrentActor() actor: Actor, @Query() query: ListWebhooksQuery) {
    return this.endpoints.list(actor, query);
  }

  @Get(':id')
  async get(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return tagged(reply, await this.endpoints.get(actor, id));
  }

  @Post()
  async create(
    @CurrentActor() actor: Actor,
    @Body() body: CreateWebhookDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return created(reply, '/api/webhooks', await this.endpoints.create(actor, body));
  }

  @Put(':id')
  async update(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Body() body: UpdateWebhookDto,
    @IfMatch() state: Precondition,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const change = requireOneOf(body, [
      ...([
        'url',
        'events',
        'resourceIds',
        'description',
        'headers',
        'rateLimit',
        'ordered',
      ] as const),
      'status',
    ]);
    return tagged(reply, await this.endpoints.update(actor, id, change, state));
  }

  @Delete(':id')
  @HttpCode(204)
  delete(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @IfMatch() state: Precondition,
  ) {
    return this.endpoints.delete(actor, id, state);
  }

  @Post(':id/enable')
  @HttpCode(200)
  async enable(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Body() { held = 'send' }: EnableWebhookDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return tagged(reply, this.endpoints.shown(await this.states.enable(actor, id, held)));
  }

  @Post(':id/disable')
  @HttpCode(200)
  async disable(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return tagged(reply, this.endpoints.shown(await this.states.disable(actor, id)));
  }

  @Get(':id/transitions')
  async transitions(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return { data: await this.states.transitions(actor, id) };
  }

  @Get(':id/secret')
  reveal(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.secrets.reveal(actor, id);
  }

  @Post(':id/secret/rotate')
  @HttpCode(200)
  rotate(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Body() { overlapHours = DEFAULT_OVERLAP_HOURS }: RotateSecretDto,
  ) {
    return this.secrets.rotate(actor, id, overlapHours);
  }

  @Post(':id/test')
  @HttpCode(202)
  test(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.endpoints.test(actor, id);
  }
}
