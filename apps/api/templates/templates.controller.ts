import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Precondition } from '#errors';
import { Documents, TEMPLATE } from '#documents';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { compareOperation } from '../documents/compare-operation.js';
import { documentOperations } from '../documents/document-operations.js';
import { DuplicateDto } from '../documents/duplicate.dto.js';
import { ExpandQuery } from '../documents/references.dto.js';
import { IfMatch } from '../http/if-match.js';
import { WantsAlternative } from '../http/response-headers.js';
import { BatchBody } from '../validation/batch.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PathId } from '../validation/path-params.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import { TemplateBatchDto, templateOperations } from './template-batch.dto.js';
import {
  CompareTemplatesQuery,
  CreateTemplateDto,
  ListTemplatesQuery,
  UpdateTemplateDto,
} from './templates.dto.js';
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
    'Send at least one of the fields; the other fields keep their values. An update that changes more than the tags creates a new version.',
  deleteDescription:
    'Moves the template with all its versions to the trash, for 30 days (`TRASH_DAYS`).',
  duplicateDescription:
    'The copy begins with version 1, and does not have the earlier versions of the original. Galley publishes the event `template.duplicated`.',
});

@ApiTags('Templates')
@Controller('api/templates')
export class TemplatesController {
  constructor(private readonly documents: Documents) {}

  @operation.list
  list(@CurrentActor() actor: Actor, @QueryDto() query: ListTemplatesQuery) {
    const { published, environment, ...request } = query;
    return this.documents.list(TEMPLATE, actor, {
      ...request,
      ...(published !== undefined && { published: { environment, isPublished: published } }),
    });
  }

  @operation.get
  get(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @QueryDto() { expand }: ExpandQuery,
  ) {
    return this.documents.get(TEMPLATE, actor, id, expand);
  }

  @operation.create
  create(@CurrentActor() actor: Actor, @BodyDto() body: CreateTemplateDto) {
    return this.documents.create(TEMPLATE, actor, body);
  }

  @operation.batch
  batch(
    @CurrentActor() actor: Actor,
    @BatchBody('template', templateOperations) body: TemplateBatchDto,
  ) {
    return this.documents.writeBatch(TEMPLATE, actor, body);
  }

  @operation.update
  update(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @BodyDto() body: UpdateTemplateDto,
    @IfMatch() precondition: Precondition,
  ) {
    const change = requireAtLeastOne(body, ['name', 'content', 'tags']);
    return this.documents.update(TEMPLATE, actor, id, change, precondition);
  }

  @operation.delete
  delete(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @IfMatch() precondition: Precondition,
  ) {
    return this.documents.delete(TEMPLATE, actor, id, precondition);
  }

  @operation.duplicate
  duplicate(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @BodyDto() body: DuplicateDto,
  ) {
    return this.documents.duplicate(TEMPLATE, actor, id, body);
  }
  @compareOperation('template')
  compare(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @QueryDto() query: CompareTemplatesQuery,
    @WantsAlternative() wantsPatch: boolean,
  ) {
    return wantsPatch
      ? this.documents.patchBetweenVersions(TEMPLATE, actor, id, query)
      : this.documents.compareVersions(TEMPLATE, actor, id, query);
  }
}
