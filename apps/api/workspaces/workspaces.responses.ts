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

  @ApiProperty({ ...enumProperty('Role'), description: 'Your own role in the workspace.' })
  role!: Role;

  @ApiProperty({ description: 'The time of creation.' })
  createdAt!: Date;

  @ApiProperty({
    description: 'The time of the last change. Two changes of a resource never have the same time.',
  })
  updatedAt!: Date;
}

export class WorkspacePageResponse extends PageOf(WorkspaceResponse) {}

export class MemberResponse implements Member {
  @ApiProperty({
    ...ID_SCHEMA,
    description:
      'The id of the user. Send this id as `userId` in the path to change the role of the member or to remove the member.',
  })
  userId!: string;

  @ApiProperty({
    description: 'The email address; empty if the identity provider did not supply an address.',
  })
  email!: string;

  @ApiProperty({
    description: 'The first name; empty if the identity provider did not supply a first name.',
  })
  firstName!: string;

  @ApiProperty({
    description: 'The last name; empty if the identity provider did not supply a last name.',
  })
  lastName!: string;

  @ApiProperty(enumProperty('Role'))
  role!: Role;

  @ApiProperty(enumProperty('MemberStatus'))
  status!: MemberStatus;

  @ApiProperty({ description: 'When the user was added or invited to the workspace.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When the role of the member was last changed.' })
  updatedAt!: Date;
}

export class MemberPageResponse extends PageOf(MemberResponse) {}

class ApiKeyResponse implements ApiKey {
  @ApiProperty(ID_SCHEMA)
  id!: string;

  @ApiProperty({
    ...ID_SCHEMA,
    description:
      'The id of the user that the key acts as. The audit log and template versions name this user.',
  })
  userId!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty(enumProperty('KeyRole'))
  role!: KeyRole;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'If not null, a program with the key may only get, render and check what is published in this environment of the workspace.',
  })
  environment!: string | null;

  @ApiProperty({ description: 'The first characters of the key.' })
  prefix!: string;

  @ApiProperty({
    ...TIME_SCHEMA,
    nullable: true,
    description: 'When the key expires; null if the key does not expire.',
  })
  expiresAt!: Date | null;

  @ApiProperty({
    ...TIME_SCHEMA,
    nullable: true,
    description:
      'When the key was last used; null if the key was never used. The time may be up to a minute earlier than the last use.',
  })
  lastUsedAt!: Date | null;

  @ApiProperty({ ...ID_SCHEMA, description: 'The id of the user who created the key.' })
  createdBy!: string;

  @ApiProperty({ description: 'The time of creation.' })
  createdAt!: Date;
}

export class CreatedApiKeyResponse extends ApiKeyResponse {
  @ApiProperty({
    pattern: '^glk_[A-Za-z0-9_-]{43}$',
    description:
      'The API key, which you send instead of a token. Only this response contains the key.',
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

  @ApiProperty({ description: 'The email address; empty if the actor is an API key.' })
  email!: string;

  @ApiProperty({
    description: 'The first and last name of the person, or the name of the API key.',
  })
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
      'The person or the API key that made the change; null if the identity provider or the operator made the change. The operator made the change if `action` is `member.erased`, or if `details` contains `by: operator`. If the identity provider has deleted the person, or the operator has erased the person, `email` and `name` are empty.',
  })
  actor!: AuditActorResponse | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The IP address that the change came from; null if the address is unknown.',
  })
  address!: string | null;

  @ApiProperty({
    ...ID_SCHEMA,
    description:
      'The id of what was changed: the `userId` of a member, or the id of an API key, a webhook, a template, a module or the workspace. An environment has no id, so its entries have the id of the workspace.',
  })
  targetId!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'More about the change, depending on `action`: for example `name`, or `from` and `to`, the values before and after the change.',
  })
  details!: Record<string, unknown>;
}

export class AuditPageResponse extends PageOf(AuditEntryResponse) {}
