import type { KeyRole, Role } from '#identity';
import { isEmail } from 'class-validator';
import { check, IfGiven, IsIdOf, IsName, IsOneOf, Unchanged } from '../http/fields.js';
import { IsFlag } from '../http/list-query.js';
import { ID } from '../http/schemas.js';
import { IsTimeOrNull, UnchangedTime } from '../http/times.js';

// RFC 5321, section 4.5.3.1.3, less the angle brackets.
const MAX_EMAIL = 254;

const IsAddress = () =>
  check(
    'isAddress',
    (value) =>
      typeof value === 'string' && value.length <= MAX_EMAIL && isEmail(value.trim())
        ? undefined
        : 'must be an e-mail address such as ada@example.com',
    { type: String, format: 'email', maxLength: MAX_EMAIL },
  );

export class CreateWorkspaceDto {
  @IsName()
  name!: string;
}

export class RenameWorkspaceDto extends CreateWorkspaceDto {
  @Unchanged(ID) id?: unknown;
  @UnchangedTime() createdAt?: unknown;
  @UnchangedTime() updatedAt?: unknown;
}

export class ChangeRoleDto {
  @IsOneOf('Role')
  role!: Role;
}

export class AddMemberDto extends ChangeRoleDto {
  @IfGiven('The user, for whoever has been here. Either this or `email`, and not both.')
  @IsIdOf('user')
  userId?: string;

  @IfGiven('The address, for whoever may yet come. Either this or `userId`, and not both.')
  @IsAddress()
  email?: string;
}

export class CreateKeyDto {
  @IsName()
  name!: string;

  @IsOneOf('KeyRole')
  role!: KeyRole;

  @IfGiven(undefined, null)
  @IsTimeOrNull('A time to come; null for a key without end.')
  expiresAt?: string | null;
}

export class DeleteWorkspaceQuery {
  @IsFlag(false, 'Also deletes the templates and modules that the workspace holds.')
  force = false;
}
