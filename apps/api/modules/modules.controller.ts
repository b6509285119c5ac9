import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Precondition } from '#errors';
import { Documents, MODULE } from '#documents';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { compareOperation } from '../documents/compare-operation.js';
import { documentOperations } from '../documents/document-operations.js';
import { DuplicateDto } from '../documents/duplicate.dto.js';
import { ExpandQuery, ForceQuery } from '../documents/references.dto.js';
import { IfMatch } from '../http/if-match.js';
import { Operation } from '../http/operation.js';
import { WantsAlternative } from '../http/response-headers.js';
import { BatchBody } from '../validation/batch.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PageQuery } from '../validation/list-query.js';
import { PathId } from '../validation/path-params.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import { ModuleBatchDto, moduleOperations } from './module-batch.dto.js';
import {
  CompareModulesQuery,
  CreateModuleDto,
  ListModulesQuery,
  UpdateModuleDto,
} from './modules.dto.js';
import {
  ModuleBatchResultResponse,
  ModulePageResponse,
  ModuleResponse,
  ModuleUsagePageResponse,
} from './modules.responses.js';

const operation = documentOperations({
  kind: 'module',
  response: ModuleResponse,
  pageResponse: ModulePageResponse,
  batchResponse: ModuleBatchResultResponse,
  updateDescription:
    'Send at least one of the fields; the other fields keep their values. An update that changes more than the tags creates a new version.',
  deleteConflict:
    'Templates or other modules use a module that the request deletes; `message` says how many.',
  deleteDescription:
    'Moves the module with all its versions to the trash, for 30 days (`TRASH_DAYS`). If a template or another module uses the module, send `force=true`; the references then stay in the documents, and a response with `expand=modules` has an empty node in each of their places.',
  duplicateDescription:
    'The copy begins with version 1, and does not have the earlier versions of the original. Galley publishes no event when you duplicate a module.',
});

@ApiTags('Modules')
@Controller('api/modules')
export class ModulesController {
  constructor(private readonly documents: Documents) {}

  @operation.list
  list(@CurrentActor() actor: Actor, @QueryDto() query: ListModulesQuery) {
    return this.documents.list(MODULE, actor, query);
  }

  @operation.get
  get(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @QueryDto() { expand }: ExpandQuery,
  ) {
    return this.documents.get(MODULE, actor, id, expand);
  }

  @operation.create
  create(@CurrentActor() actor: Actor, @BodyDto() body: CreateModuleDto) {
    return this.documents.create(MODULE, actor, body);
  }

  @operation.batch
  batch(
    @CurrentActor() actor: Actor,
    @BatchBody('module', moduleOperations) body: ModuleBatchDto,
    @QueryDto() { force }: ForceQuery,
  ) {
    const { workspaceId, operations } = body;
    return this.documents.writeBatch(MODULE, actor, { workspaceId, operations, force });
  }

  @operation.update
  update(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @BodyDto() body: UpdateModuleDto,
    @IfMatch() precondition: Precondition,
  ) {
    const change = requireAtLeastOne(body, ['name', 'content', 'tags', 'category', 'description']);
    return this.documents.update(MODULE, actor, id, change, precondition);
  }

  @Operation({
    id: 'listModuleUsages',
    summary: 'List the templates and modules that use a module',
    description:
      'Lists the latest versions that refer to the module, directly or through other modules, in the order of their ids. Documents of workspaces that you cannot read are left out.',
    role: 'viewer',
    response: ModuleUsagePageResponse,
  })
  @Get(':id/usages')
  listUsages(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @QueryDto() query: PageQuery,
  ) {
    return this.documents.listUsages(actor, id, query);
  }

  @operation.delete
  delete(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @QueryDto() { force }: ForceQuery,
    @IfMatch() precondition: Precondition,
  ) {
    return this.documents.delete(MODULE, actor, id, precondition, force);
  }

  @operation.duplicate
  duplicate(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @BodyDto() body: DuplicateDto,
  ) {
    return this.documents.duplicate(MODULE, actor, id, body);
  }
  @compareOperation('module')
  compare(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @QueryDto() query: CompareModulesQuery,
    @WantsAlternative() wantsPatch: boolean,
  ) {
    return wantsPatch
      ? this.documents.patchBetweenVersions(MODULE, actor, id, query)
      : this.documents.compareVersions(MODULE, actor, id, query);
  }
}
