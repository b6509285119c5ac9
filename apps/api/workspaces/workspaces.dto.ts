import type { KeyRole, Role } from '#workspaces';
import { isEmail } from 'class-validator';
import {
  fieldRule,
  Optional,
  ResourceId,
  IsName,
  IsOneOf,
  ReadOnly,
} from '../validation/fields.js';
import { IsQueryBoolean } from '../validation/list-query.js';
import { ID_SCHEMA } from '../validation/schemas.js';
import { IsTimeOrNull, ReadOnlyTime } from '../validation/times.js';

// RFC 5321, section 4.5.3.1.3, without the angle brackets.
const MAX_EMAIL_LENGTH = 254;

const IsEmail = () =>
  fieldRule(
    'isEmail',
    (value) =>
      typeof value === 'string' && value.length <= MAX_EMAIL_LENGTH && isEmail(value.trim())
        ? undefined
        : 'must be an e-mail address such as ada@example.com',
    { type: String, format: 'email', maxLength: MAX_EMAIL_LENGTH },
  );

export class CreateWorkspaceDto {
  @IsName()
  name!: string;
}

export class RenameWorkspaceDto extends CreateWorkspaceDto {
  @ReadOnly(ID_SCHEMA) id?: unknown;
  @ReadOnlyTime() createdAt?: unknown;
  @ReadOnlyTime() updatedAt?: unknown;
}

export class ChangeRoleDto {
  @IsOneOf('Role')
  role!: Role;
}

export class AddMemberDto extends ChangeRoleDto {
  @Optional('A user who has signed in before. Send either `userId` or `email`.')
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

  @Optional(undefined, null)
  @IsTimeOrNull('A time in the future; null for a key that does not expire.')
  expiresAt?: string | null;
}

export class DeleteWorkspaceQuery {
  @IsQueryBoolean(false, 'Also deletes the templates and modules of the workspace.')
  force = false;
}
