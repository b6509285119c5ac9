import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query, Res } from '@nestjs/common';
import { DomainError } from '#errors';
import { Members, type Actor } from '#identity';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { PageQuery } from '../http/fields.js';
import { PathId } from '../http/path-id.js';
import { AddMemberDto, ChangeRoleDto } from './workspaces.dto.js';

@Controller('api/workspaces/:id/members')
export class MembersController {
  constructor(private readonly members: Members) {}

  @Get()
  list(@CurrentActor() actor: Actor, @PathId('workspace') id: string, @Query() query: PageQuery) {
    return this.members.list(actor, id, query);
  }

  @Post()
  async add(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @Body() { userId, email, role }: AddMemberDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const newcomer = email === undefined ? userId && { userId } : userId ? undefined : { email };
    if (!newcomer) {
      throw DomainError.invalid('userId', 'userId or email must be given, one of them');
    }
    const member = await this.members.add(actor, id, newcomer, role);
    void reply.header('location', `/api/workspaces/${id}/members/${member.userId}`);
    return member;
  }

  @Put(':userId')
  changeRole(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @PathId('member', 'userId') userId: string,
    @Body() { role }: ChangeRoleDto,
  ) {
    return this.members.changeRole(actor, id, userId, role);
  }

  @Delete(':userId')
  @HttpCode(204)
  remove(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @PathId('member', 'userId') userId: string,
  ) {
    return this.members.remove(actor, id, userId);
  }
}
