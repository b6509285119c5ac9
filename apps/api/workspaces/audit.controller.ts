import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditLog, type Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { PageQuery } from '../validation/list-query.js';
import { Operation } from '../http/operation.js';
import { PathId } from '../validation/path-params.js';
import { AuditPageResponse } from './workspaces.responses.js';

@ApiTags('Audit')
@Controller('api/workspaces/:id/audit')
export class AuditController {
  constructor(private readonly auditLog: AuditLog) {}

  @Operation({
    id: 'listAuditEntries',
    summary: 'Read the audit log of a workspace',
    role: 'admin',
    description:
      'Lists changes of members, API keys, webhooks and secrets, with the user and the IP address that made them, newest first. Entries are kept for 13 months.',
    response: AuditPageResponse,
  })
  @Get()
  list(@CurrentActor() actor: Actor, @PathId('workspace') id: string, @Query() query: PageQuery) {
    return this.auditLog.list(actor, id, query);
  }
}
