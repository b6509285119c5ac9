import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeys, type Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { BodyDto, QueryDto } from '../validation/inputs.js';
import { PageQuery } from '../validation/list-query.js';
import { Operation } from '../operations/operation.js';
import { PathId } from '../validation/path-params.js';
import { ApiKeyPageResponse, CreatedApiKeyResponse } from './workspaces.responses.js';
import { CreateKeyDto } from './workspaces.dto.js';

@ApiTags('API keys')
@Controller('api/workspaces/:id/keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeys) {}

  @Operation({
    id: 'listKeys',
    summary: 'List the API keys of a workspace',
    role: 'admin',
    description: 'The newest API key comes first.',
    response: ApiKeyPageResponse,
  })
  @Get()
  list(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @QueryDto() query: PageQuery,
  ) {
    return this.apiKeys.list(actor, id, query);
  }

  @Operation({
    id: 'createKey',
    summary: 'Create an API key',
    role: 'admin',
    description:
      'Only the response to this request contains the key itself. Without `expiresAt`, the key does not expire.',
    status: 201,
    response: CreatedApiKeyResponse,
    idempotent: true,
  })
  @Post()
  create(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @BodyDto() { expiresAt, ...body }: CreateKeyDto,
  ) {
    const expiryDate = typeof expiresAt === 'string' ? new Date(expiresAt) : null;
    return this.apiKeys.create(actor, id, { ...body, expiresAt: expiryDate });
  }

  @Operation({
    id: 'revokeKey',
    summary: 'Revoke an API key',
    role: 'admin',
    status: 204,
    description: 'Galley refuses all further requests with the revoked key.',
  })
  @Delete(':keyId')
  revoke(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @PathId('key', 'keyId') keyId: string,
  ) {
    return this.apiKeys.revoke(actor, id, keyId);
  }
}
