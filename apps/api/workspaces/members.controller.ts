import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { Members, type Actor } from '#identity';
import { CurrentActor } from '../auth/actor.decorator.js';
import { PageQuery } from '../http/list-query.js';
import { Operates } from '../http/operation.js';
import { PathId } from '../http/path-id.js';
import { MemberAnswer, MemberPageAnswer } from './workspaces.answers.js';
import { AddMemberDto, ChangeRoleDto } from './workspaces.dto.js';

const LAST_OWNER = 'It is the last owner.';

@ApiTags('Members')
@Controller('api/workspaces/:id/members')
export class MembersController {
  constructor(private readonly members: Members) {}

  @Operates({
    ...{ id: 'listMembers', summary: 'List the members of a workspace', role: 'viewer' },
    ...{ description: 'Whose role was changed last comes first.', answer: MemberPageAnswer },
  })
  @Get()
  list(@CurrentActor() actor: Actor, @PathId('workspace') id: string, @Query() query: PageQuery) {
    return this.members.list(actor, id, query);
  }

  @Operates({
    ...{ id: 'addMember', summary: 'Add or invite a member', role: 'admin' },
    description:
      'By `userId` whoever has been here, or by `email` whoever may yet come: exactly one of the two.',
    access:
      'Takes the role `admin` in the workspace, or `owner` where the member becomes an owner.',
    ...{
      status: 201,
      answer: MemberAnswer,
      errors: { conflict: 'The user is a member, or invited, already.' },
    },
    once: true,
  })
  @Post()
  add(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @Body() { userId, email, role }: AddMemberDto,
  ) {
    const newcomer = email === undefined ? userId && { userId } : userId ? undefined : { email };
    if (!newcomer) {
      throw DomainError.invalid('userId', 'userId or email must be given, one of them');
    }
    return this.members.add(actor, id, newcomer, role);
  }

  @Operates({
    ...{ id: 'changeMemberRole', summary: 'Change the role of a member', role: 'admin' },
    access:
      'Takes the role `admin` in the workspace, or `owner` where the member is one or becomes one.',
    answer: MemberAnswer,
    errors: { conflict: LAST_OWNER },
  })
  @Put(':userId')
  changeRole(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @PathId('member', 'userId') userId: string,
    @Body() { role }: ChangeRoleDto,
  ) {
    return this.members.changeRole(actor, id, userId, role);
  }

  @Operates({
    ...{ id: 'removeMember', summary: 'Remove a member', role: 'admin', status: 204 },
    access:
      'Takes the role `admin` in the workspace, or `owner` where the member is an owner. Everybody may remove themselves, whatever their role.',
    errors: { conflict: LAST_OWNER },
  })
  @Delete(':userId')
  remove(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @PathId('member', 'userId') userId: string,
  ) {
    return this.members.remove(actor, id, userId);
  }
}
