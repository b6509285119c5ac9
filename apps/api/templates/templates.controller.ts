import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Precondition } from '#errors';
import type { Actor } from '#identity';
import { TemplateBatches, Templates, type Template } from '#templates';
import { CurrentActor } from '../auth/actor.decorator.js';
import { requireOneOf } from '../http/at-least-one.js';
import { EachOperation } from '../http/batch.js';
import { DuplicateDto } from '../http/duplicate.dto.js';
import { IfMatch } from '../http/if-match.js';
import { Operates } from '../http/operation.js';
import { PathId } from '../http/path-id.js';
import { BATCH_TOO_LARGE, BOUNDED_PAGE, LIST_ORDER } from '../http/schemas.js';
import {
  CreateTemplateOperation,
  DeleteTemplateOperation,
  TemplateBatchDto,
  UpdateTemplateOperation,
} from './template-batch.dto.js';
import {
  TemplateAnswer,
  TemplateBatchResultAnswer,
  TemplatePageAnswer,
} from './templates.answers.js';
import { CreateTemplateDto, ListTemplatesQuery, UpdateTemplateDto } from './templates.dto.js';

const location = ({ id }: Template) => `/api/templates/${id}`;

@ApiTags('Templates')
@Controller('api/templates')
export class TemplatesController {
  constructor(
    private readonly templates: Templates,
    private readonly batches: TemplateBatches,
  ) {}

  @Operates({
    ...{ id: 'listTemplates', summary: 'List the templates of a workspace', role: 'viewer' },
    ...{ description: `${LIST_ORDER} ${BOUNDED_PAGE}`, answer: TemplatePageAnswer },
  })
  @Get()
  list(@CurrentActor() actor: Actor, @Query() query: ListTemplatesQuery) {
    return this.templates.list(actor, query);
  }

  @Operates({
    ...{ id: 'getTemplate', summary: 'Get a template', role: 'viewer' },
    ...{ answer: TemplateAnswer, tagged: true },
  })
  @Get(':id')
  get(@CurrentActor() actor: Actor, @PathId('template') id: string) {
    return this.templates.get(actor, id);
  }

  @Operates({
    ...{ id: 'createTemplate', summary: 'Create a template', role: 'editor' },
    ...{ status: 201, answer: TemplateAnswer, tagged: true, location },
    once: true,
  })
  @Post()
  create(@CurrentActor() actor: Actor, @Body() body: CreateTemplateDto) {
    return this.templates.create(actor, body);
  }

  @Operates({
    ...{ id: 'batchTemplates', summary: 'Create, update and delete up to 1,000 templates' },
    description:
      'All or nothing, with one event for each that changes something. No two operations are about one template.',
    ...{
      role: 'editor',
      answer: TemplateBatchResultAnswer,
      isBatch: true,
      once: true,
      errors: {
        stale: 'Somebody has changed a template since you read it; `details` say which.',
        too_large: BATCH_TOO_LARGE,
      },
    },
  })
  @Post('batch')
  batch(
    @CurrentActor() actor: Actor,
    @Body(
      new EachOperation('template', {
        create: CreateTemplateOperation,
        update: UpdateTemplateOperation,
        delete: DeleteTemplateOperation,
      }),
    )
    body: TemplateBatchDto,
  ) {
    return this.batches.write(actor, body);
  }

  @Operates({
    ...{ id: 'updateTemplate', summary: 'Update a template', role: 'editor' },
    description:
      'Takes any of the fields, at least one, and leaves the others as they are. A change makes a new version; what changes nothing makes none.',
    ...{ answer: TemplateAnswer, tagged: true, conditional: true },
  })
  @Put(':id')
  update(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Body() body: UpdateTemplateDto,
    @IfMatch() state: Precondition,
  ) {
    return this.templates.update(actor, id, requireOneOf(body, ['name', 'content']), state);
  }

  @Operates({
    ...{ id: 'deleteTemplate', summary: 'Delete a template', role: 'editor' },
    ...{ description: 'Its versions go with it.', status: 204, conditional: true },
  })
  @Delete(':id')
  delete(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @IfMatch() state: Precondition,
  ) {
    return this.templates.delete(actor, id, state);
  }

  @Operates({
    ...{ id: 'duplicateTemplate', summary: 'Duplicate a template', role: 'editor' },
    description:
      'The copy starts a history of its own, with version 1 and the event `template.duplicated`.',
    access:
      'Takes the role `viewer` in the workspace of the original, and `editor` in that of the copy.',
    optionalBody: true,
    ...{ status: 201, answer: TemplateAnswer, tagged: true, location },
    once: true,
  })
  @Post(':id/duplicate')
  duplicate(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Body() body: DuplicateDto,
  ) {
    return this.templates.duplicate(actor, id, body);
  }
}
