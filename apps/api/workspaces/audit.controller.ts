import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditLog, type Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { QueryDto } from '../validation/inputs.js';
import { PathId } from '../validation/path-params.js';
import { ListAuditEntriesQuery } from './workspaces.dto.js';
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
      'Lists changes to the workspace, its members, its API keys and its webhooks. The log also records when somebody reveals or rotates the secret of a webhook, or deletes a template or module from the trash for good. The newest entry comes first. An entry names the user who made the change and the IP address that the change came from. Entries are kept for 13 months. With filters, a page may have fewer entries than `limit`, or none, even if more pages follow. Continue until `nextCursor` is null.',
    response: AuditPageResponse,
  })
  @Get()
  list(
    @CurrentActor() actor: Actor,
    @PathId('workspace') id: string,
    @QueryDto() query: ListAuditEntriesQuery,
  ) {
    return this.auditLog.list(actor, id, query);
  }
}
