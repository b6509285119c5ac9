import { keyRoles, roles, type KeyRole, type Role } from '#identity';
import { Allow, IsIn, isEmail } from 'class-validator';
import { check, IfGiven, IsFlag, IsIdOf, IsName, problemOfTime } from '../http/fields.js';

const IsRole = () => IsIn(roles, { message: `role must be one of ${roles.join(', ')}` });

const IsFutureOrNull = () =>
  check('isFuture', (value) =>
    value === null ||
    (problemOfTime(value) === undefined && Date.parse(value as string) > Date.now())
      ? undefined
      : 'must be a time to come, before the year 2100, such as 2027-11-21T09:30:00Z; or null for a key without end',
  );

// RFC 5321, section 4.5.3.1.3, less the angle brackets.
const MAX_EMAIL = 254;

const IsAddress = () =>
  check('isAddress', (value) =>
    typeof value === 'string' && value.length <= MAX_EMAIL && isEmail(value.trim())
      ? undefined
      : 'must be an e-mail address such as ada@example.com',
  );

export class CreateWorkspaceDto {
  @IsName()
  name!: string;
}

export class RenameWorkspaceDto extends CreateWorkspaceDto {
  // Read-only: they may be put back as they were read.
  @Allow() id?: unknown;
  @Allow() createdAt?: unknown;
  @Allow() updatedAt?: unknown;
}

export class ChangeRoleDto {
  @IsRole()
  role!: Role;
}

export class AddMemberDto extends ChangeRoleDto {
  /** Whoever has been here; or `email`, for whoever may yet come. */
  @IfGiven()
  @IsIdOf('user')
  userId?: string;

  @IfGiven()
  @IsAddress()
  email?: string;
}

export class CreateKeyDto {
  @IsName()
  name!: string;

  @IsIn(keyRoles, { message: `role must be one of ${keyRoles.join(', ')}` })
  role!: KeyRole;

  @IfGiven()
  @IsFutureOrNull()
  expiresAt?: string | null;
}

export class DeleteWorkspaceQuery {
  /** Also deletes the templates and modules that the workspace holds. */
  @IsFlag()
  force = false;
}
