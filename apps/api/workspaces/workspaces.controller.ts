import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import type { Transaction } from '#database';
import type { Precondition } from '#errors';
import { Workspaces, type Actor } from '#identity';
import { Modules } from '#modules';
import { Templates } from '#templates';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { created } from '../http/created.js';
import { IfMatch, tagged } from '../http/entity-tag.js';
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
  async get(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return tagged(reply, await this.workspaces.get(actor, id));
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
  async rename(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @Body() body: RenameWorkspaceDto,
    @IfMatch() state: Precondition,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return tagged(reply, await this.workspaces.rename(actor, id, body, state));
  }

  @Delete(':id')
  @HttpCode(204)
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
