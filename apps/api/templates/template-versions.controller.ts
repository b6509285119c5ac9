import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import { Templates, TemplateVersions } from '#templates';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operates } from '../http/operation.js';
import { PathId, PathNumber } from '../http/path-id.js';
import { BOUNDED_PAGE } from '../http/schemas.js';
import {
  TemplateAnswer,
  TemplateVersionAnswer,
  TemplateVersionPageAnswer,
} from './templates.answers.js';
import { ListVersionsQuery } from './templates.dto.js';

@ApiTags('Templates')
@Controller('api/templates/:id/versions')
export class TemplateVersionsController {
  constructor(
    private readonly versions: TemplateVersions,
    private readonly templates: Templates,
  ) {}

  @Operates({
    ...{ id: 'listTemplateVersions', summary: 'List the versions of a template' },
    description: `The highest number comes first. ${BOUNDED_PAGE}`,
    role: 'viewer',
    answer: TemplateVersionPageAnswer,
  })
  @Get()
  list(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Query() query: ListVersionsQuery,
  ) {
    return this.versions.list(actor, id, query);
  }

  @Operates({
    ...{ id: 'getTemplateVersion', summary: 'Get a version of a template' },
    ...{ description: 'It never changes.', role: 'viewer', answer: TemplateVersionAnswer },
  })
  @Get(':version')
  get(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathNumber('version') version: number,
  ) {
    return this.versions.get(actor, id, version);
  }

  @Operates({
    ...{ id: 'restoreTemplateVersion', summary: 'Restore a version of a template' },
    description: 'Appends a version that says again what this one said.',
    ...{ role: 'editor', answer: TemplateAnswer, tagged: true },
    once: true,
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
