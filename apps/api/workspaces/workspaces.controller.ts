import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Transaction } from '#database';
import type { Precondition } from '#errors';
import { Workspaces, type Actor, type Workspace } from '#identity';
import { Modules } from '#modules';
import { Templates } from '#templates';
import { CurrentActor } from '../auth/actor.decorator.js';
import { PageQuery } from '../http/list-query.js';
import { IfMatch } from '../http/if-match.js';
import { Operates } from '../http/operation.js';
import { PathId } from '../http/path-id.js';
import { WorkspaceAnswer, WorkspacePageAnswer } from './workspaces.answers.js';
import { CreateWorkspaceDto, DeleteWorkspaceQuery, RenameWorkspaceDto } from './workspaces.dto.js';

@ApiTags('Workspaces')
@Controller('api/workspaces')
export class WorkspacesController {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly templates: Templates,
    private readonly modules: Modules,
  ) {}

  @Operates({
    ...{ id: 'listWorkspaces', summary: 'List your workspaces', answer: WorkspacePageAnswer },
    description: 'Those that you are a member of. What was changed last comes first.',
  })
  @Get()
  list(@CurrentActor() actor: Actor, @Query() query: PageQuery) {
    return this.workspaces.list(actor, query);
  }

  @Operates({
    ...{ id: 'getWorkspace', summary: 'Get a workspace', role: 'viewer' },
    ...{ answer: WorkspaceAnswer, tagged: true },
  })
  @Get(':id')
  get(@CurrentActor() actor: Actor, @PathId('workspace') id: string) {
    return this.workspaces.get(actor, id);
  }

  @Operates({
    ...{ id: 'createWorkspace', summary: 'Create a workspace' },
    ...{ description: 'Whoever creates it owns it, which an API key cannot.' },
    errors: { forbidden: 'An API key has asked, and cannot own a workspace.' },
    ...{ status: 201, answer: WorkspaceAnswer, tagged: true },
    location: ({ id }: Workspace) => `/api/workspaces/${id}`,
    once: true,
  })
  @Post()
  create(@CurrentActor() actor: Actor, @Body() body: CreateWorkspaceDto) {
    return this.workspaces.create(actor, body);
  }

  @Operates({
    ...{ id: 'renameWorkspace', summary: 'Rename a workspace', role: 'owner' },
    ...{ answer: WorkspaceAnswer, tagged: true, conditional: true },
  })
  @Put(':id')
  rename(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @Body() body: RenameWorkspaceDto,
    @IfMatch() state: Precondition,
  ) {
    return this.workspaces.rename(actor, id, body, state);
  }

  @Operates({
    ...{ id: 'deleteWorkspace', summary: 'Delete a workspace', role: 'owner' },
    description:
      'Its webhooks get the events of what is deleted with it, and then go by themselves.',
    ...{ status: 204, conditional: true },
    errors: { conflict: 'It still holds templates or modules, and `force` is not set.' },
  })
  @Delete(':id')
  delete(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @Query() { force }: DeleteWorkspaceQuery,
    @IfMatch() state: Precondition,
  ) {
    const deleteContents = async (transaction: Transaction) => {
      if (!force) return;
      await this.templates.deleteAll(transaction, id);
      await this.modules.deleteAll(transaction, id);
    };
    return this.workspaces.delete(actor, id, deleteContents, state);
  }
}
