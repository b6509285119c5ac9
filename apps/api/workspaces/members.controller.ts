import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { Members, type Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PageQuery } from '../validation/list-query.js';
import { Operation } from '../operations/operation.js';
import { PathId } from '../validation/path-params.js';
import { MemberResponse, MemberPageResponse } from './workspaces.responses.js';
import { AddMemberDto, ChangeRoleDto } from './workspaces.dto.js';

const LAST_OWNER_DESCRIPTION = 'The member is the last owner of the workspace.';

@ApiTags('Members')
@Controller('api/workspaces/:id/members')
export class MembersController {
  constructor(private readonly members: Members) {}

  @Operation({
    id: 'listMembers',
    summary: 'List the members of a workspace',
    role: 'viewer',
    description:
      'The member who was most recently added, or whose role was most recently changed, comes first.',
    response: MemberPageResponse,
  })
  @Get()
  list(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @QueryDto() query: PageQuery,
  ) {
    return this.members.list(actor, id, query);
  }

  @Operation({
    id: 'addMember',
    summary: 'Add or invite a member',
    role: 'admin',
    description:
      'Send exactly one of `userId` and `email`: `userId` adds a user who has signed in before, and `email` invites somebody.',
    accessDescription:
      'Requires the `admin` role in the workspace, or the `owner` role if the new member becomes an owner.',
    status: 201,
    response: MemberResponse,
    errors: { already_exists: 'The user is already a member, or has already been invited.' },
    idempotent: true,
  })
  @Post()
  add(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @BodyDto() { userId, email, role }: AddMemberDto,
  ) {
    const user = email === undefined ? userId && { userId } : userId ? undefined : { email };
    if (!user) {
      throw DomainError.invalid('userId', 'exactly one of userId and email must be sent');
    }
    return this.members.add(actor, id, user, role);
  }

  @Operation({
    id: 'changeMemberRole',
    summary: 'Change the role of a member',
    role: 'admin',
    accessDescription:
      'Requires the `admin` role in the workspace, or the `owner` role if the member is or becomes an owner. An admin may appoint an owner if the identity provider has blocked all owners.',
    response: MemberResponse,
    errors: { last_owner: LAST_OWNER_DESCRIPTION },
  })
  @Put(':userId')
  changeRole(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @PathId('member', 'userId') userId: string,
    @BodyDto() { role }: ChangeRoleDto,
  ) {
    return this.members.changeRole(actor, id, userId, role);
  }

  @Operation({
    id: 'removeMember',
    summary: 'Remove a member',
    role: 'admin',
    status: 204,
    accessDescription:
      'Requires the `admin` role in the workspace, or the `owner` role if the member is an owner. Members with any role may remove themselves.',
    errors: { last_owner: LAST_OWNER_DESCRIPTION },
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
