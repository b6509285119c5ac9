import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import type { Precondition } from '#errors';
import type { Actor } from '#identity';
import { Modules } from '#modules';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { created } from '../http/created.js';
import { IfMatch, tagged } from '../http/entity-tag.js';
import { DuplicateDto } from '../http/duplicate.dto.js';
import { PathId } from '../http/path-id.js';
import { requireOneOf } from '../http/at-least-one.js';
import { CreateModuleDto, ListModulesQuery, UpdateModuleDto } from './modules.dto.js';

@Controller('api/modules')
export class ModulesController {
  constructor(private readonly modules: Modules) {}

  @Get()
  list(@CurrentActor() actor: Actor, @Query() query: ListModulesQuery) {
    return this.modules.list(actor, query);
  }

  @Get(':id')
  async get(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return tagged(reply, await this.modules.get(actor, id));
  }

  @Post()
  async create(
    @CurrentActor() actor: Actor,
    @Body() body: CreateModuleDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return created(reply, '/api/modules', await this.modules.create(actor, body));
  }

  @Put(':id')
  async update(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @Body() body: UpdateModuleDto,
    @IfMatch() state: Precondition,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const change = requireOneOf(body, ['name', 'content', 'category', 'description']);
    return tagged(reply, await this.modules.update(actor, id, change, state));
  }

  @Delete(':id')
  @HttpCode(204)
  delete(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @IfMatch() state: Precondition,
  ) {
    return this.modules.delete(actor, id, state);
  }

  @Post(':id/duplicate')
  async duplicate(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @Body() body: DuplicateDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return created(reply, '/api/modules', await this.modules.duplicate(actor, id, body));
  }
}
