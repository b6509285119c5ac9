import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Transaction } from '#database';
import { Publishing } from '#publishing';
import { Checking } from '#rendering';
import { Environments, type Actor, type Environment } from '#workspaces';
import { CurrentSlot, type Slot } from '../admission/slot.decorator.js';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PageQuery } from '../validation/list-query.js';
import { PathId } from '../validation/path-params.js';
import { PathEnvironment } from '../workspaces/environment-name.js';
import { CreateEnvironmentDto, DeleteEnvironmentQuery, PublishBatchDto } from './publishing.dto.js';
import {
  EnvironmentResponse,
  EnvironmentsResponse,
  PublicationPageResponse,
  PublicationsResponse,
} from './publishing.responses.js';

@ApiTags('Publishing')
@Controller('api/workspaces/:id')
export class EnvironmentsController {
  constructor(
    private readonly environments: Environments,
    private readonly publishing: Publishing,
    private readonly checking: Checking,
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
    id: 'publishTemplates',
    summary: 'Publish several templates',
    role: 'editor',
    description:
      'Publishes versions of up to 100 templates in one environment, all or none of them. Galley publishes the event `template.published` for each template whose published version changes. `data` is in the order of `templates`.',
    response: PublicationsResponse,
    idempotent: true,
    errors: {
      not_found:
        'There is no such workspace, environment, template or version; `details` says which.',
      checks_failed:
        'A version has errors, and the workspace does not publish versions with errors.',
      unavailable: 'Galley could not check the versions in time.',
    },
  })
  @Post('publish')
  publish(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @BodyDto() { environment, note, templates }: PublishBatchDto,
    @CurrentSlot() slot: Slot,
  ) {
    const request = { workspaceId: id, environment, note, templates };
    return this.publishing.publishBatch(actor, request, async (templateId, version) => {
      const target = { version, environment };
      const refusal = await this.checking.findRefusal(actor, templateId, target, slot);
      await slot.takeAgain();
      return refusal;
    });
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
