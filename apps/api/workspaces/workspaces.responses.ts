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
} from '#workspaces';
import { enumProperty } from '../validation/enums.js';
import { ID_SCHEMA, PageOf, TIME_SCHEMA } from '../validation/schemas.js';

export class WorkspaceResponse implements Workspace {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'The time of creation.' })
  createdAt!: Date;

  @ApiProperty({
    description: 'The time of the last change. Each change sets a different time.',
  })
  updatedAt!: Date;
}

export class WorkspacePageResponse extends PageOf(WorkspaceResponse) {}

export class MemberResponse implements Member {
  @ApiProperty({
    ...ID_SCHEMA,
    description: 'Identifies the member in the routes that change and remove members.',
  })
  userId!: string;

  @ApiProperty({ description: 'Empty if the identity provider did not supply it.' })
  email!: string;

  @ApiProperty({ description: 'Empty if the identity provider did not supply it.' })
  firstName!: string;

  @ApiProperty({ description: 'Empty if the identity provider did not supply it.' })
  lastName!: string;

  @ApiProperty(enumProperty('Role'))
  role!: Role;

  @ApiProperty(enumProperty('MemberStatus'))
  status!: MemberStatus;

  @ApiProperty({ description: 'When the user became a member.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When the role was last changed.' })
  updatedAt!: Date;
}

export class MemberPageResponse extends PageOf(MemberResponse) {}

class ApiKeyResponse implements ApiKey {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty({
    ...ID_SCHEMA,
    description: 'The user that stands for the key in the audit log and as the author of versions.',
  })
  userId!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(enumProperty('KeyRole'))
  role!: KeyRole;

  @ApiProperty({ description: 'The first characters of the key.' })
  prefix!: string;

  @ApiProperty({ ...TIME_SCHEMA, nullable: true, description: 'Null if the key does not expire.' })
  expiresAt!: Date | null;

  @ApiProperty({
    ...TIME_SCHEMA,
    nullable: true,
    description: 'When the key was last used, to the minute; null if it was never used.',
  })
  lastUsedAt!: Date | null;

  @ApiProperty({ ...ID_SCHEMA, description: 'The user who created the key.' })
  createdBy!: string;

  @ApiProperty({ description: 'The time of creation.' })
  createdAt!: Date;
}

export class CreatedApiKeyResponse extends ApiKeyResponse {
  @ApiProperty({
    pattern: '^glk_[A-Za-z0-9_-]{43}$',
    description: 'The API key, which you send instead of a token. Only this response shows it.',
  })
  key!: string;
}

export class ApiKeyPageResponse extends PageOf(ApiKeyResponse) {}

class AuditActorResponse {
  @ApiProperty(ID_SCHEMA)
  userId!: string;

  @ApiProperty({
    enum: ['person', 'key'],
    description: 'Whether the actor is a person or an API key.',
  })
  kind!: 'person' | 'key';

  @ApiProperty({ description: 'Empty for an API key.' })
  email!: string;

  @ApiProperty({ description: 'First and last name, or the name of the API key.' })
  name!: string;
}

class AuditEntryResponse implements AuditEntry {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty({ description: 'The time of the change.' })
  occurredAt!: Date;

  @ApiProperty(enumProperty('AuditAction'))
  action!: AuditAction;

  @ApiProperty({
    type: AuditActorResponse,
    nullable: true,
    description:
      'The user who made the change; null if the identity provider made it. For a deleted user, only the id remains.',
  })
  actor!: AuditActorResponse | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The IP address that the change came from.',
  })
  address!: string | null;

  @ApiProperty({
    ...ID_SCHEMA,
    description: "The id of the changed member's user, key, webhook or workspace.",
  })
  targetId!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'More about the change, depending on `action`: for example the name, or `from` and `to`.',
  })
  details!: Record<string, unknown>;
}

export class AuditPageResponse extends PageOf(AuditEntryResponse) {}
