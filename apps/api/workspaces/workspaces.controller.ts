import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import { Workspaces, type Actor } from '#identity';
import { Modules } from '#modules';
import { Templates } from '#templates';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { created } from '../http/created.js';
import { PageQuery } from '../http/fields.js';
import { PathId } from '../http/path-id.js';
import { CreateWorkspaceDto, DeleteWorkspaceQuery, RenameWorkspaceDto } from './workspaces.dto.js';

@Controller('api/workspaces')
export class WorkspacesController {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly templates: Templates,
    private readonly modules: Modules,
  ) {}

  @Get()
  list(@CurrentActor() actor: Actor, @Query() query: PageQuery) {
    return this.workspaces.list(actor, query);
  }

  @Get(':id')
  get(@CurrentActor() actor: Actor, @PathId('workspace') id: string) {
    return this.workspaces.get(actor, id);
  }

  @Post()
  async create(
    @CurrentActor() actor: Actor,
    @Body() body: CreateWorkspaceDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return created(reply, '/api/workspaces', await this.workspaces.create(actor, body));
  }

  @Put(':id')
  rename(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @Body() body: RenameWorkspaceDto,
  ) {
    return this.workspaces.rename(actor, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @Query() { force }: DeleteWorkspaceQuery,
  ) {
    return this.workspaces.delete(actor, id, async (transaction) => {
      if (!force) return;
      await this.templates.deleteAll(transaction, id);
      await this.modules.deleteAll(transaction, id);
    });
  }
}
