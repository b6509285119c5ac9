import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiKeys, type Actor } from '#identity';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../auth/actor.decorator.js';
import { created } from '../http/created.js';
import { PageQuery } from '../http/fields.js';
import { PathId } from '../http/path-id.js';
import { CreateKeyDto } from './workspaces.dto.js';

@Controller('api/workspaces/:id/keys')
export class KeysController {
  constructor(private readonly keys: ApiKeys) {}

  @Get()
  list(@CurrentActor() actor: Actor, @PathId('workspace') id: string, @Query() query: PageQuery) {
    return this.keys.list(actor, id, query);
  }

  @Post()
  async create(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @Body() { name, role, expiresAt }: CreateKeyDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const expires = typeof expiresAt === 'string' ? new Date(expiresAt) : null;
    const key = await this.keys.create(actor, id, { name, role, expiresAt: expires });
    return created(reply, `/api/workspaces/${id}/keys`, key);
  }

  @Delete(':keyId')
  @HttpCode(204)
  revoke(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @PathId('key', 'keyId') keyId: string,
  ) {
    return this.keys.revoke(actor, id, keyId);
  }
}
