import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import type { Precondition } from '#errors';
import type { Actor } from '#identity';
import { Templates } from '#templates';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { DuplicateDto } from '../http/duplicate.dto.js';
import { created } from '../http/created.js';
import { IfMatch, tagged } from '../http/entity-tag.js';
import { PathId } from '../http/path-id.js';
import { requireOneOf } from '../http/at-least-one.js';
import { CreateTemplateDto, ListTemplatesQuery, UpdateTemplateDto } from './templates.dto.js';

@Controller('api/templates')
export class TemplatesController {
  constructor(private readonly templates: Templates) {}

  @Get()
  list(@CurrentActor() actor: Actor, @Query() query: ListTemplatesQuery) {
    return this.templates.list(actor, query);
  }

  @Get(':id')
  async get(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return tagged(reply, await this.templates.get(actor, id));
  }

  @Post()
  async create(
    @CurrentActor() actor: Actor,
    @Body() body: CreateTemplateDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return created(reply, '/api/templates', await this.templates.create(actor, body));
  }

  @Put(':id')
  async update(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Body() body: UpdateTemplateDto,
    @IfMatch() state: Precondition,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const change = requireOneOf(body, ['name', 'content']);
    return tagged(reply, await this.templates.update(actor, id, change, state));
  }

  @Delete(':id')
  @HttpCode(204)
  delete(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @IfMatch() state: Precondition,
  ) {
    return this.templates.delete(actor, id, state);
  }

  @Post(':id/duplicate')
  async duplicate(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Body() body: DuplicateDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return created(reply, '/api/templates', await this.templates.duplicate(actor, id, body));
  }
}
