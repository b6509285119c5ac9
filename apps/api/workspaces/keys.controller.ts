import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeys, type Actor } from '#identity';
import { CurrentActor } from '../auth/actor.decorator.js';
import { PageQuery } from '../http/list-query.js';
import { Operates } from '../http/operation.js';
import { PathId } from '../http/path-id.js';
import { ApiKeyPageAnswer, CreatedApiKeyAnswer } from './workspaces.answers.js';
import { CreateKeyDto } from './workspaces.dto.js';

@ApiTags('API keys')
@Controller('api/workspaces/:id/keys')
export class KeysController {
  constructor(private readonly keys: ApiKeys) {}

  @Operates({
    ...{ id: 'listKeys', summary: 'List the API keys of a workspace', role: 'admin' },
    ...{ description: 'What was made last comes first.', answer: ApiKeyPageAnswer },
  })
  @Get()
  list(@CurrentActor() actor: Actor, @PathId('workspace') id: string, @Query() query: PageQuery) {
    return this.keys.list(actor, id, query);
  }

  @Operates({
    ...{ id: 'createKey', summary: 'Create an API key', role: 'admin' },
    description: 'The answer shows the key, this once. Without `expiresAt` it has no end.',
    ...{ status: 201, answer: CreatedApiKeyAnswer },
    once: true,
  })
  @Post()
  create(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @Body() { name, role, expiresAt }: CreateKeyDto,
  ) {
    const expires = typeof expiresAt === 'string' ? new Date(expiresAt) : null;
    return this.keys.create(actor, id, { name, role, expiresAt: expires });
  }

  @Operates({
    ...{ id: 'revokeKey', summary: 'Revoke an API key', role: 'admin', status: 204 },
    description: 'Whoever calls with it is refused from the next request.',
  })
  @Delete(':keyId')
  revoke(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @PathId('key', 'keyId') keyId: string,
  ) {
    return this.keys.revoke(actor, id, keyId);
  }
}
