import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Transaction } from '#database';
import type { Precondition } from '#errors';
import { Workspaces, type Actor, type Workspace } from '#workspaces';
import { Assets } from '#assets';
import { Documents } from '#documents';
import { CurrentActor } from '../auth/actor.decorator.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PageQuery } from '../validation/list-query.js';
import { IfMatch } from '../operations/if-match.js';
import { Operation } from '../operations/operation.js';
import { PathId } from '../validation/path-params.js';
import { WorkspaceResponse, WorkspacePageResponse } from './workspaces.responses.js';
import { CreateWorkspaceDto, DeleteWorkspaceQuery, RenameWorkspaceDto } from './workspaces.dto.js';

@ApiTags('Workspaces')
@Controller('api/workspaces')
export class WorkspacesController {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly documents: Documents,
    private readonly assets: Assets,
  ) {}

  @Operation({
    id: 'listWorkspaces',
    summary: 'List your workspaces',
    response: WorkspacePageResponse,
    description:
      'Lists the workspaces that you are a member of, each with your role. The workspace with the latest change comes first.',
  })
  @Get()
  list(@CurrentActor() actor: Actor, @QueryDto() query: PageQuery) {
    return this.workspaces.list(actor, query);
  }

  @Operation({
    id: 'getWorkspace',
    summary: 'Get a workspace',
    role: 'viewer',
    response: WorkspaceResponse,
    etag: true,
  })
  @Get(':id')
  get(@CurrentActor() actor: Actor, @PathId('workspace') id: string) {
    return this.workspaces.get(actor, id);
  }

  @Operation({
    id: 'createWorkspace',
    summary: 'Create a workspace',
    description: 'You become the owner of the new workspace. API keys cannot create workspaces.',
    errors: { forbidden: 'API keys cannot own a workspace.' },
    status: 201,
    response: WorkspaceResponse,
    etag: true,
    location: ({ id }: Workspace) => `/api/workspaces/${id}`,
    idempotent: true,
  })
  @Post()
  create(@CurrentActor() actor: Actor, @BodyDto() body: CreateWorkspaceDto) {
    return this.workspaces.create(actor, body);
  }

  @Operation({
    id: 'renameWorkspace',
    summary: 'Rename a workspace',
    role: 'owner',
    response: WorkspaceResponse,
    etag: true,
    ifMatch: true,
  })
  @Put(':id')
  rename(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @BodyDto() body: RenameWorkspaceDto,
    @IfMatch() precondition: Precondition,
  ) {
    return this.workspaces.rename(actor, id, body, precondition);
  }

  @Operation({
    id: 'deleteWorkspace',
    summary: 'Delete a workspace',
    role: 'owner',
    description:
      'Deletes the workspace and its trash for good. Galley first sends the events of all deleted templates and modules to the webhooks of the workspace, and then deletes the webhooks. Disabled webhooks do not get these events.',
    status: 204,
    ifMatch: true,
    errors: {
      in_use: 'The workspace still has templates, modules or pictures, and `force` is not set.',
    },
  })
  @Delete(':id')
  delete(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @QueryDto() { force }: DeleteWorkspaceQuery,
    @IfMatch() precondition: Precondition,
  ) {
    const deleteContents = async (transaction: Transaction) => {
      await this.assets.deleteAll(transaction, id, force);
      if (force) await this.documents.deleteAll(transaction, id);
    };
    return this.workspaces.delete(actor, id, deleteContents, precondition);
  }
}
