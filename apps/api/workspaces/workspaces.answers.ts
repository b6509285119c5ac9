import { ApiProperty } from '@nestjs/swagger';
import type {
  ApiKey,
  AuditAction,
  AuditEntry,
  KeyRole,
  Member,
  MemberStatus,
  Role,
  Workspace,
} from '#identity';
import { oneOf } from '../http/enums.js';
import { ID, PageOf, TIME } from '../http/schemas.js';

export class WorkspaceAnswer implements Workspace {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'When it was made.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it was last changed; never the same after a change.' })
  updatedAt!: Date;
}

export class WorkspacePageAnswer extends PageOf(WorkspaceAnswer) {}

export class MemberAnswer implements Member {
  @ApiProperty({ ...ID, description: 'By which the member is changed and removed.' })
  userId!: string;

  @ApiProperty({ description: 'Empty when the identity provider has told of none.' })
  email!: string;

  @ApiProperty({ description: 'Empty when the identity provider has told of none.' })
  firstName!: string;

  @ApiProperty({ description: 'Empty when the identity provider has told of none.' })
  lastName!: string;

  @ApiProperty(oneOf('Role'))
  role!: Role;

  @ApiProperty(oneOf('MemberStatus'))
  status!: MemberStatus;

  @ApiProperty({ description: 'Since when the user is a member.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When the role was last changed.' })
  updatedAt!: Date;
}

export class MemberPageAnswer extends PageOf(MemberAnswer) {}

class ApiKeyAnswer implements ApiKey {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty({
    ...ID,
    description: 'As whom it acts: in the audit log, and where it says who has made something.',
  })
  userId!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(oneOf('KeyRole'))
  role!: KeyRole;

  @ApiProperty({ description: 'How the key begins.' })
  prefix!: string;

  @ApiProperty({ ...TIME, nullable: true, description: 'Null for a key without end.' })
  expiresAt!: Date | null;

  @ApiProperty({ ...TIME, nullable: true, description: 'To the minute; null when it never was.' })
  lastUsedAt!: Date | null;

  @ApiProperty({ ...ID, description: 'The user who has made it.' })
  createdBy!: string;

  @ApiProperty({ description: 'When it was made.' })
  createdAt!: Date;
}

export class CreatedApiKeyAnswer extends ApiKeyAnswer {
  @ApiProperty({
    pattern: '^glk_[A-Za-z0-9_-]{43}$',
    description:
      'The key itself, which goes where a token goes. It is shown here and nowhere else.',
  })
  key!: string;
}

export class ApiKeyPageAnswer extends PageOf(ApiKeyAnswer) {}

class AuditActorAnswer {
  @ApiProperty(ID)
  userId!: string;

  @ApiProperty({ enum: ['person', 'key'], description: 'A person, or an API key.' })
  kind!: 'person' | 'key';

  @ApiProperty({ description: 'Empty for a key.' })
  email!: string;

  @ApiProperty({ description: 'First and last name, or that of the key.' })
  name!: string;
}

class AuditEntryAnswer implements AuditEntry {
  @ApiProperty(ID)
  id!: string;

  @ApiProperty({ description: 'When it was done.' })
  occurredAt!: Date;

  @ApiProperty(oneOf('AuditAction'))
  action!: AuditAction;

  @ApiProperty({
    ...{ type: AuditActorAnswer, nullable: true },
    description: 'Null for the identity provider. Of a user who was deleted only the id is left.',
  })
  actor!: AuditActorAnswer | null;

  @ApiProperty({
    ...{ type: String, nullable: true },
    description: 'The IP address that the change came from.',
  })
  address!: string | null;

  @ApiProperty({ ...ID, description: "The member's user, the key, the webhook or the workspace." })
  targetId!: string;

  @ApiProperty({
    ...{ type: 'object', additionalProperties: true },
    description: 'More about it, by `action`: such as the name, or `from` and `to` of a change.',
  })
  details!: Record<string, unknown>;
}

export class AuditPageAnswer extends PageOf(AuditEntryAnswer) {}
