import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Precondition } from '#errors';
import type { Actor } from '#workspaces';
import { Documents, TEMPLATE } from '#documents';
import { CurrentActor } from '../auth/actor.decorator.js';
import { LabelVersionDto, ListVersionsQuery } from '../documents/document.dto.js';
import { ExpandQuery, RestoreDto } from '../documents/references.dto.js';
import { versionOperations } from '../documents/version-operations.js';
import { IfMatch } from '../http/if-match.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PathId, PathNumber } from '../validation/path-params.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import {
  TemplateResponse,
  TemplateVersionResponse,
  TemplateVersionSummaryResponse,
  TemplateVersionPageResponse,
} from './templates.responses.js';

const operation = versionOperations({
  kind: 'template',
  response: TemplateVersionResponse,
  summaryResponse: TemplateVersionSummaryResponse,
  pageResponse: TemplateVersionPageResponse,
  documentResponse: TemplateResponse,
  restoreDescription:
    'Creates a new version with the name and the document of the version in the path. `modules` decides whether Galley pins references to modules.',
});

@ApiTags('Templates')
@Controller('api/templates/:id/versions')
export class TemplateVersionsController {
  constructor(private readonly documents: Documents) {}

  @operation.list
  list(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @QueryDto() query: ListVersionsQuery,
  ) {
    return this.documents.listVersions(TEMPLATE, actor, id, query);
  }

  @operation.get
  get(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathNumber('version') version: number,
    @QueryDto() { expand }: ExpandQuery,
  ) {
    return this.documents.getVersion(TEMPLATE, actor, id, version, expand);
  }

  @operation.label
  label(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathNumber('version') version: number,
    @BodyDto() body: LabelVersionDto,
  ) {
    const labels = requireAtLeastOne(body, ['label', 'note']);
    return this.documents.labelVersion(TEMPLATE, actor, id, version, labels);
  }

  @operation.restore
  restore(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathNumber('version') version: number,
    @BodyDto() { modules }: RestoreDto,
    @IfMatch() precondition: Precondition,
  ) {
    return this.documents.restoreVersion(TEMPLATE, actor, id, version, { modules, precondition });
  }
}
