import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Precondition } from '#errors';
import { Modules } from '#modules';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { documentOperations } from '../documents/document-operations.js';
import { DuplicateDto } from '../documents/duplicate.dto.js';
import { IfMatch } from '../http/if-match.js';
import { BatchPipe } from '../validation/batch.js';
import { PathId } from '../validation/path-params.js';
import { requireAtLeastOne } from '../validation/require-at-least-one.js';
import { ModuleBatchDto, moduleOperations } from './module-batch.dto.js';
import { CreateModuleDto, ListModulesQuery, UpdateModuleDto } from './modules.dto.js';
import {
  ModuleBatchResultResponse,
  ModulePageResponse,
  ModuleResponse,
} from './modules.responses.js';

const operation = documentOperations({
  kind: 'module',
  response: ModuleResponse,
  pageResponse: ModulePageResponse,
  batchResponse: ModuleBatchResultResponse,
  updateDescription: 'Send at least one of the fields; the other fields keep their values.',
  duplicateDescription: 'The duplication of a module has no event.',
});

@ApiTags('Modules')
@Controller('api/modules')
export class ModulesController {
  constructor(private readonly modules: Modules) {}

  @operation.list
  list(@CurrentActor() actor: Actor, @Query() query: ListModulesQuery) {
    return this.modules.list(actor, query);
  }

  @operation.get
  get(@CurrentActor() actor: Actor, @PathId('module') id: string) {
    return this.modules.get(actor, id);
  }

  @operation.create
  create(@CurrentActor() actor: Actor, @Body() body: CreateModuleDto) {
    return this.modules.create(actor, body);
  }

  @operation.batch
  batch(
    @CurrentActor() actor: Actor,
    @Body(new BatchPipe('module', moduleOperations)) body: ModuleBatchDto,
  ) {
    return this.modules.writeBatch(actor, body);
  }

  @operation.update
  update(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @Body() body: UpdateModuleDto,
    @IfMatch() precondition: Precondition,
  ) {
    const change = requireAtLeastOne(body, ['name', 'content', 'category', 'description']);
    return this.modules.update(actor, id, change, precondition);
  }

  @operation.delete
  delete(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @IfMatch() precondition: Precondition,
  ) {
    return this.modules.delete(actor, id, precondition);
  }

  @operation.duplicate
  duplicate(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @Body() body: DuplicateDto,
  ) {
    return this.modules.duplicate(actor, id, body);
  }
}
