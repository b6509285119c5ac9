import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditLog, type Actor } from '#identity';
import { CurrentActor } from '../auth/actor.decorator.js';
import { PageQuery } from '../http/list-query.js';
import { Operates } from '../http/operation.js';
import { PathId } from '../http/path-id.js';
import { AuditPageAnswer } from './workspaces.answers.js';

@ApiTags('Audit')
@Controller('api/workspaces/:id/audit')
export class AuditController {
  constructor(private readonly auditLog: AuditLog) {}

  @Operates({
    ...{ id: 'listAuditEntries', summary: 'Read the audit log of a workspace', role: 'admin' },
    description:
      'Who changed members, keys, webhooks and secrets, and from where. What was done last comes first. Kept for 13 months.',
    answer: AuditPageAnswer,
  })
  @Get()
  list(@CurrentActor() actor: Actor, @PathId('workspace') id: string, @Query() query: PageQuery) {
    return this.auditLog.list(actor, id, query);
  }
}
