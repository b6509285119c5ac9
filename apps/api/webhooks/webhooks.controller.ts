import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import type { Actor } from '#identity';
import { Endpoints } from '#webhooks';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { requireOneOf } from '../http/at-least-one.js';
import { created } from '../http/created.js';
import { PathId } from '../http/path-id.js';
import { CreateWebhookDto, ListWebhooksQuery, UpdateWebhookDto } from './webhooks.dto.js';

@Controller('api/webhooks')
export class WebhooksController {
  constructor(private readonly endpoints: Endpoints) {}

  @Get()
  list(@CurrentActor() actor: Actor, @Query() query: ListWebhooksQuery) {
    return this.endpoints.list(actor, query);
  }

  @Get(':id')
  get(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.endpoints.get(actor, id);
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
  update(
    @CurrentActor() actor: Actor,
    @PathId('webhook') id: string,
    @Body() body: UpdateWebhookDto,
  ) {
    const change = requireOneOf(body, ['url', 'events', 'description', 'status']);
    return this.endpoints.update(actor, id, change);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@CurrentActor() actor: Actor, @PathId('webhook') id: string) {
    return this.endpoints.delete(actor, id);
  }
}
