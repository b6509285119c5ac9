import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Precondition } from '#errors';
import type { Actor } from '#identity';
import { ModuleBatches, Modules, type Module } from '#modules';
import { CurrentActor } from '../auth/actor.decorator.js';
import { requireOneOf } from '../http/at-least-one.js';
import { EachOperation } from '../http/batch.js';
import { DuplicateDto } from '../http/duplicate.dto.js';
import { IfMatch } from '../http/if-match.js';
import { Operates } from '../http/operation.js';
import { PathId } from '../http/path-id.js';
import { BATCH_TOO_LARGE, BOUNDED_PAGE, LIST_ORDER } from '../http/schemas.js';
import {
  CreateModuleOperation,
  DeleteModuleOperation,
  ModuleBatchDto,
  UpdateModuleOperation,
} from './module-batch.dto.js';
import { ModuleAnswer, ModuleBatchResultAnswer, ModulePageAnswer } from './modules.answers.js';
import { CreateModuleDto, ListModulesQuery, UpdateModuleDto } from './modules.dto.js';

const location = ({ id }: Module) => `/api/modules/${id}`;

@ApiTags('Modules')
@Controller('api/modules')
export class ModulesController {
  constructor(
    private readonly modules: Modules,
    private readonly batches: ModuleBatches,
  ) {}

  @Operates({
    ...{ id: 'listModules', summary: 'List the modules of a workspace', role: 'viewer' },
    ...{ description: `${LIST_ORDER} ${BOUNDED_PAGE}`, answer: ModulePageAnswer },
  })
  @Get()
  list(@CurrentActor() actor: Actor, @Query() query: ListModulesQuery) {
    return this.modules.list(actor, query);
  }

  @Operates({
    ...{ id: 'getModule', summary: 'Get a module', role: 'viewer' },
    ...{ answer: ModuleAnswer, tagged: true },
  })
  @Get(':id')
  get(@CurrentActor() actor: Actor, @PathId('module') id: string) {
    return this.modules.get(actor, id);
  }

  @Operates({
    ...{ id: 'createModule', summary: 'Create a module', role: 'editor' },
    ...{ status: 201, answer: ModuleAnswer, tagged: true, location },
    once: true,
  })
  @Post()
  create(@CurrentActor() actor: Actor, @Body() body: CreateModuleDto) {
    return this.modules.create(actor, body);
  }

  @Operates({
    ...{ id: 'batchModules', summary: 'Create, update and delete up to 1,000 modules' },
    description:
      'All or nothing, with one event for each that changes something. No two operations are about one module.',
    ...{
      role: 'editor',
      answer: ModuleBatchResultAnswer,
      isBatch: true,
      once: true,
      errors: {
        stale: 'Somebody has changed a module since you read it; `details` say which.',
        too_large: BATCH_TOO_LARGE,
      },
    },
  })
  @Post('batch')
  batch(
    @CurrentActor() actor: Actor,
    @Body(
      new EachOperation('module', {
        create: CreateModuleOperation,
        update: UpdateModuleOperation,
        delete: DeleteModuleOperation,
      }),
    )
    body: ModuleBatchDto,
  ) {
    return this.batches.write(actor, body);
  }

  @Operates({
    ...{ id: 'updateModule', summary: 'Update a module', role: 'editor' },
    description: 'Takes any of the fields, at least one, and leaves the others as they are.',
    ...{ answer: ModuleAnswer, tagged: true, conditional: true },
  })
  @Put(':id')
  update(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @Body() body: UpdateModuleDto,
    @IfMatch() state: Precondition,
  ) {
    const change = requireOneOf(body, ['name', 'content', 'category', 'description']);
    return this.modules.update(actor, id, change, state);
  }

  @Operates({
    ...{ id: 'deleteModule', summary: 'Delete a module', role: 'editor' },
    ...{ status: 204, conditional: true },
  })
  @Delete(':id')
  delete(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @IfMatch() state: Precondition,
  ) {
    return this.modules.delete(actor, id, state);
  }

  @Operates({
    ...{ id: 'duplicateModule', summary: 'Duplicate a module', role: 'editor' },
    description: 'It has no event.',
    access:
      'Takes the role `viewer` in the workspace of the original, and `editor` in that of the copy.',
    optionalBody: true,
    ...{ status: 201, answer: ModuleAnswer, tagged: true, location },
    once: true,
  })
  @Post(':id/duplicate')
  duplicate(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @Body() body: DuplicateDto,
  ) {
    return this.modules.duplicate(actor, id, body);
  }
}
