import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Documents, UsageUpdates } from '#documents';
import type { Actor } from '#workspaces';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PageQuery } from '../validation/list-query.js';
import { PathId } from '../validation/path-params.js';
import { ModuleUsagePageResponse } from './module-usages.responses.js';
import { requireAllOrTemplateIds, UpdateUsagesDto } from './usage-updates.dto.js';
import {
  UsageUpdateCountResponse,
  UsageUpdateResponse,
  UsageUpdatesResponse,
} from './usage-updates.responses.js';

@ApiTags('Modules')
@Controller('api/modules/:id')
export class UsagesController {
  constructor(
    private readonly documents: Documents,
    private readonly usageUpdates: UsageUpdates,
  ) {}

  @Operation({
    id: 'listModuleUsages',
    summary: 'List the templates and modules that use a module',
    description:
      'Lists the templates and modules whose latest version uses the module, directly or through other modules, in the order of their ids. Templates and modules in workspaces that you cannot read are omitted.',
    role: 'viewer',
    response: ModuleUsagePageResponse,
  })
  @Get('usages')
  listUsages(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @QueryDto() query: PageQuery,
  ) {
    return this.documents.listUsages(actor, id, query);
  }

  @Operation({
    id: 'updateModuleUsages',
    summary: 'Pin many templates to another version of a module',
    role: 'editor',
    description:
      'Takes the references that are pinned to another version of the module, and pins them to `toVersion`. Galley changes the templates in the background, and creates a new version of each template that it changes. References that follow the latest version stay as they are. `listModuleUsageUpdates` shows the progress. With `dryRun`, Galley changes nothing, and responds with 200 and the number of templates that an update would change now.',
    status: 202,
    response: UsageUpdateResponse,
    errors: { still_running: 'Another usage update is running in the workspace.' },
    idempotent: true,
  })
  @ApiResponse({
    status: 200,
    description: 'With `dryRun`: the number of templates that an update would change.',
    type: UsageUpdateCountResponse,
  })
  @Post('update-usages')
  async start(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @BodyDto() body: UpdateUsagesDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    requireAllOrTemplateIds(body);
    if (body.dryRun) {
      void reply.status(200);
      return this.usageUpdates.count(actor, id, body);
    }
    return this.usageUpdates.start(actor, id, body);
  }

  @Operation({
    id: 'listModuleUsageUpdates',
    summary: 'List the usage updates of a module',
    role: 'viewer',
    description: 'Returns the latest 100 updates, newest first, without pagination.',
    response: UsageUpdatesResponse,
  })
  @Get('usage-updates')
  list(@CurrentActor() actor: Actor, @PathId('module') id: string) {
    return this.usageUpdates.list(actor, id);
  }

  @Operation({
    id: 'cancelModuleUsageUpdate',
    summary: 'Cancel a usage update',
    role: 'editor',
    response: UsageUpdateResponse,
    description:
      'Ends the update. Templates that have already been changed keep their new versions.',
    errors: { already_finished: 'The update has already finished.' },
  })
  @Post('usage-updates/:updateId/cancel')
  cancel(
    @CurrentActor() actor: Actor,
    @PathId('module') id: string,
    @PathId('update', 'updateId') updateId: string,
  ) {
    return this.usageUpdates.cancel(actor, id, updateId);
  }
}
