import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Actor } from '#identity';
import { Templates, TemplateVersions } from '#templates';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { tagged } from '../http/entity-tag.js';
import { PathId, PathNumber } from '../http/path-id.js';
import { ListVersionsQuery } from './templates.dto.js';

@Controller('api/templates/:id/versions')
export class TemplateVersionsController {
  constructor(
    private readonly versions: TemplateVersions,
    private readonly templates: Templates,
  ) {}

  @Get()
  list(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Query() query: ListVersionsQuery,
  ) {
    return this.versions.list(actor, id, query);
  }

  @Get(':version')
  get(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathNumber('version') version: number,
  ) {
    return this.versions.get(actor, id, version);
  }

  @Post(':version/restore')
  @HttpCode(200)
  async restore(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathNumber('version') version: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return tagged(reply, await this.templates.restore(actor, id, version));
  }
}
