import { Controller, Get, Query } from '@nestjs/common';
import { AuditLog, type Actor } from '#identity';
import { CurrentActor } from '../auth/actor.decorator.js';
import { PageQuery } from '../http/fields.js';
import { PathId } from '../http/path-id.js';

@Controller('api/workspaces/:id/audit')
export class AuditController {
  constructor(private readonly auditLog: AuditLog) {}

  @Get()
  list(@CurrentActor() actor: Actor, @PathId('workspace') id: string, @Query() query: PageQuery) {
    return this.auditLog.list(actor, id, query);
  }
}
