import type { AuditAction, AuditFilter, KeyRole, Role } from '#workspaces';
import { OfEnvironment } from './environment-name.js';
import { enumProperty } from '../validation/enums.js';
import { IsEmail, Optional, ResourceId, IsName, IsOneOf, ReadOnly } from '../validation/fields.js';
import { IsQueryBoolean, PageQuery } from '../validation/list-query.js';
import { ID_SCHEMA } from '../validation/schemas.js';
import { IsQueryTime, IsTimeOrNull, ReadOnlyTime } from '../validation/times.js';

export class CreateWorkspaceDto {
  @IsName()
  name!: string;
}

export class RenameWorkspaceDto extends CreateWorkspaceDto {
  @ReadOnly(ID_SCHEMA) id?: unknown;
  @ReadOnly(enumProperty('Role')) role?: unknown;
  @ReadOnlyTime() createdAt?: unknown;
  @ReadOnlyTime() updatedAt?: unknown;
}

export class ChangeRoleDto {
  @IsOneOf('Role')
  role!: Role;
}

export class AddMemberDto extends ChangeRoleDto {
  @Optional('The id of a user who has signed in before. Send either `userId` or `email`.')
  @ResourceId('user')
  userId?: string;

  @Optional('The email address to invite. Send either `email` or `userId`.')
  @IsEmail()
  email?: string;
}

export class CreateKeyDto {
  @IsName()
  name!: string;

  @IsOneOf('KeyRole')
  role!: KeyRole;

  @Optional()
  @OfEnvironment(
    'Limits the key to this environment: with the key, a program may only get, render and check what is published there. The role must be `viewer`.',
  )
  environment?: string;

  @Optional(undefined, null)
  @IsTimeOrNull('When the key expires: a time in the future, or null if the key does not expire.')
  expiresAt?: string | null;
}

export class DeleteWorkspaceQuery {
  @IsQueryBoolean(false, 'Whether to also delete the templates and modules of the workspace.')
  force = false;
}

export class ListAuditEntriesQuery extends PageQuery implements AuditFilter {
  @Optional('Only changes of this kind.')
  @IsOneOf('AuditAction')
  action?: AuditAction;

  @Optional('Only changes that this user made. For an API key, send its `userId`.')
  @ResourceId('user')
  actorId?: string;

  @Optional('Only changes with this `targetId`.')
  @ResourceId('target')
  targetId?: string;

  @Optional()
  @IsQueryTime('Only changes at this time or later.')
  since?: Date;

  @Optional()
  @IsQueryTime('Only changes before this time.')
  until?: Date;
}
