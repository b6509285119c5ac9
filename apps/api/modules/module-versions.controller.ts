import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Precondition } from '#errors';
import type { Actor } from '#workspaces';
import { Documents, MODULE } from '#documents';
import { CurrentActor } from '../auth/actor.decorator.js';
import { LabelVersionDto, ListVersionsQuery } from '../documents/document.dto.js';
import { ExpandQuery, RestoreDto } from '../documents/references.dto.js';
import { versionOperations } from '../documents/version-operations.js';
import { IfMatch } from '../http/if-match.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PathId, PathNumber } from '../validation/path-params.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import {
  ModuleResponse,
  ModuleVersionResponse,
  ModuleVersionSummaryResponse,
  ModuleVersionPageResponse,
} from './modules.responses.js';

const operation = versionOperations({
  kind: 'module',
  response: ModuleVersionResponse,
  summaryResponse: ModuleVersionSummaryResponse,
  pageResponse: ModuleVersionPageResponse,
  documentResponse: ModuleResponse,
  restoreDescription:
    'Creates a new version with the name, category, description and document of the version in the path.',
});

@ApiTags('Modules')
@Controller('api/modules/:id/versions')
export class ModuleVersionsController {
  constructor(private readonly documents: Documents) {}

  @operation.list
  list(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @QueryDto() query: ListVersionsQuery,
  ) {
    return this.documents.listVersions(MODULE, actor, id, query);
  }

  @operation.get
  get(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @PathNumber('version') version: number,
    @QueryDto() { expand }: ExpandQuery,
  ) {
    return this.documents.getVersion(MODULE, actor, id, version, expand);
  }

  @operation.label
  label(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @PathNumber('version') version: number,
    @BodyDto() body: LabelVersionDto,
  ) {
    const labels = requireAtLeastOne(body, ['label', 'note']);
    return this.documents.labelVersion(MODULE, actor, id, version, labels);
  }

  @operation.restore
  restore(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @PathNumber('version') version: number,
    @BodyDto() { modules }: RestoreDto,
    @IfMatch() precondition: Precondition,
  ) {
    return this.documents.restoreVersion(MODULE, actor, id, version, { modules, precondition });
  }
}
