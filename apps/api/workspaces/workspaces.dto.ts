import { roles, type Role } from '#identity';
import { Allow, IsIn } from 'class-validator';
import { IsIdOf, IsName } from '../http/fields.js';

const IsRole = () => IsIn(roles, { message: `role must be one of ${roles.join(', ')}` });

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
  @IsIdOf('user')
  userId!: string;
}
