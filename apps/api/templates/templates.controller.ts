import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Precondition } from '#errors';
import { Templates } from '#templates';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { documentOperations } from '../documents/document-operations.js';
import { DuplicateDto } from '../documents/duplicate.dto.js';
import { IfMatch } from '../http/if-match.js';
import { BatchPipe } from '../validation/batch.js';
import { PathId } from '../validation/path-params.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import { TemplateBatchDto, templateOperations } from './template-batch.dto.js';
import { CreateTemplateDto, ListTemplatesQuery, UpdateTemplateDto } from './templates.dto.js';
import {
  TemplateBatchResultResponse,
  TemplatePageResponse,
  TemplateResponse,
} from './templates.responses.js';

const operation = documentOperations({
  kind: 'template',
  response: TemplateResponse,
  pageResponse: TemplatePageResponse,
  batchResponse: TemplateBatchResultResponse,
  updateDescription:
    'Send at least one of the fields; the other fields keep their values. A change makes a new version; an update that changes nothing does not.',
  deleteDescription: 'Deletes the template and all its versions.',
  duplicateDescription:
    'The copy starts a history of its own, at version 1, with the event `template.duplicated`.',
});

@ApiTags('Templates')
@Controller('api/templates')
export class TemplatesController {
  constructor(private readonly templates: Templates) {}

  @operation.list
  list(@CurrentActor() actor: Actor, @Query() query: ListTemplatesQuery) {
    return this.templates.list(actor, query);
  }

  @operation.get
  get(@CurrentActor() actor: Actor, @PathId('template') id: string) {
    return this.templates.get(actor, id);
  }

  @operation.create
  create(@CurrentActor() actor: Actor, @Body() body: CreateTemplateDto) {
    return this.templates.create(actor, body);
  }

  @operation.batch
  batch(
    @CurrentActor() actor: Actor,
    @Body(new BatchPipe('template', templateOperations)) body: TemplateBatchDto,
  ) {
    return this.templates.writeBatch(actor, body);
  }

  @operation.update
  update(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Body() body: UpdateTemplateDto,
    @IfMatch() precondition: Precondition,
  ) {
    const change = requireAtLeastOne(body, ['name', 'content']);
    return this.templates.update(actor, id, change, precondition);
  }

  @operation.delete
  delete(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @IfMatch() precondition: Precondition,
  ) {
    return this.templates.delete(actor, id, precondition);
  }

  @operation.duplicate
  duplicate(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Body() body: DuplicateDto,
  ) {
    return this.templates.duplicate(actor, id, body);
  }
}
