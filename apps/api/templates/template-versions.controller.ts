import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#workspaces';
import { Templates, TemplateVersions } from '#templates';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../http/operation.js';
import { PathId, PathNumber } from '../validation/path-params.js';
import { BOUNDED_PAGE_DESCRIPTION } from '../validation/schemas.js';
import {
  TemplateResponse,
  TemplateVersionResponse,
  TemplateVersionPageResponse,
} from './templates.responses.js';
import { ListTemplateVersionsQuery } from './templates.dto.js';

@ApiTags('Templates')
@Controller('api/templates/:id/versions')
export class TemplateVersionsController {
  constructor(
    private readonly versions: TemplateVersions,
    private readonly templates: Templates,
  ) {}

  @Operation({
    id: 'listTemplateVersions',
    summary: 'List the versions of a template',
    description: `The highest version number comes first. ${BOUNDED_PAGE_DESCRIPTION}`,
    role: 'viewer',
    response: TemplateVersionPageResponse,
  })
  @Get()
  list(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Query() query: ListTemplateVersionsQuery,
  ) {
    return this.versions.list(actor, id, query);
  }

  @Operation({
    id: 'getTemplateVersion',
    summary: 'Get a version of a template',
    description: 'A version never changes.',
    role: 'viewer',
    response: TemplateVersionResponse,
  })
  @Get(':version')
  get(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathNumber('version') version: number,
  ) {
    return this.versions.get(actor, id, version);
  }

  @Operation({
    id: 'restoreTemplateVersion',
    summary: 'Restore a version of a template',
    description: 'Appends a new version with the name and the document of this one.',
    role: 'editor',
    response: TemplateResponse,
    etag: true,
    idempotent: true,
  })
  @Post(':version/restore')
  restore(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathNumber('version') version: number,
  ) {
    return this.templates.restore(actor, id, version);
  }
}
