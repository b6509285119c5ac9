import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Transaction } from '#database';
import { Publishing } from '#publishing';
import { Environments, type Actor, type Environment } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PageQuery } from '../validation/list-query.js';
import { PathId } from '../validation/path-params.js';
import { PathEnvironment } from '../workspaces/environment-name.js';
import { CreateEnvironmentDto, DeleteEnvironmentQuery } from './publishing.dto.js';
import {
  EnvironmentResponse,
  EnvironmentsResponse,
  PublicationPageResponse,
} from './publishing.responses.js';

@ApiTags('Publishing')
@Controller('api/workspaces/:id')
export class EnvironmentsController {
  constructor(
    private readonly environments: Environments,
    private readonly publishing: Publishing,
  ) {}

  @Operation({
    id: 'listEnvironments',
    summary: 'List the environments of a workspace',
    role: 'viewer',
    description:
      'Returns all environments, without pagination: first `production`, which every workspace has, and then the others, sorted by name.',
    response: EnvironmentsResponse,
  })
  @Get('environments')
  list(@CurrentActor() actor: Actor, @PathId('workspace') id: string) {
    return this.environments.list(actor, id);
  }

  @Operation({
    id: 'createEnvironment',
    summary: 'Create an environment',
    role: 'admin',
    description:
      'A workspace has at most 20 environments. The name of an environment cannot be changed.',
    status: 201,
    response: EnvironmentResponse,
    idempotent: true,
    errors: {
      already_exists: 'The environment already exists.',
      limit_reached: 'The workspace has 20 environments.',
    },
  })
  @Post('environments')
  create(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @BodyDto() body: CreateEnvironmentDto,
  ): Promise<Environment> {
    return this.environments.create(actor, id, body);
  }

  @Operation({
    id: 'deleteEnvironment',
    summary: 'Delete an environment',
    role: 'admin',
    description:
      'With `force`, Galley first unpublishes everything in the environment, with an event for each template, and cancels the scheduled publications there. Galley keeps the publication history of the templates. The environment `production` cannot be deleted.',
    status: 204,
    errors: {
      in_use: 'Templates are published or scheduled in the environment, and `force` is not set.',
      conflict: 'The environment is `production`, which cannot be deleted.',
    },
  })
  @Delete('environments/:environment')
  delete(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @PathEnvironment() environment: string,
    @QueryDto() { force }: DeleteEnvironmentQuery,
  ) {
    const unpublishAll = async (transaction: Transaction) => {
      if (force) await this.publishing.unpublishAll(transaction, actor, id, environment);
    };
    return this.environments.delete(actor, id, environment, unpublishAll);
  }

  @Operation({
    id: 'listWorkspaceScheduledPublications',
    summary: 'List the scheduled publications of a workspace',
    role: 'viewer',
    description: 'The publication that is due next comes first.',
    response: PublicationPageResponse,
  })
  @Get('publications/scheduled')
  listScheduled(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @QueryDto() query: PageQuery,
  ) {
    return this.publishing.listScheduled(actor, 'workspace', id, query);
  }
}
