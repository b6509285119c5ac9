import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Trash } from '#documents';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { QueryDto } from '../validation/inputs.js';
import { PathId } from '../validation/path-params.js';
import { ListTrashQuery } from './trash.dto.js';
import { RestoredDocumentResponse, TrashPageResponse } from './trash.responses.js';

@ApiTags('Trash')
@Controller('api/trash')
export class TrashController {
  constructor(private readonly trash: Trash) {}

  @Operation({
    id: 'listTrash',
    summary: 'List the deleted templates and modules of a workspace',
    description:
      'Galley keeps deleted templates and modules for 30 days (`TRASH_DAYS`). The item with the latest `expiresAt` comes first; it is usually the item that was deleted last.',
    role: 'viewer',
    response: TrashPageResponse,
  })
  @Get()
  list(@CurrentActor() actor: Actor, @QueryDto() query: ListTrashQuery) {
    return this.trash.list(actor, query);
  }

  @Operation({
    id: 'restoreFromTrash',
    summary: 'Restore a deleted template or module',
    description:
      'Brings the template or module back with its id, all its versions and its references. Restoring creates no new version. It changes `updatedAt`, so clients that poll the list get the template or module again. Galley publishes `template.restored` or `module.restored`. References to modules that are still deleted stay as they are.',
    role: 'editor',
    response: RestoredDocumentResponse,
    idempotent: true,
    errors: {
      already_exists:
        'Another template or module of the workspace has the `externalId` by now. Change or remove the `externalId` of that one first.',
    },
  })
  @Post(':id/restore')
  restore(@CurrentActor() actor: Actor, @PathId('document') id: string) {
    return this.trash.restore(actor, id);
  }

  @Operation({
    id: 'purgeFromTrash',
    summary: 'Delete a template or module from the trash for good',
    description:
      'The template or module can no longer be restored. A worker deletes all its versions within seconds; a template with thousands of large versions takes longer. The audit log records the deletion, without the name of the template or module.',
    role: 'admin',
    status: 204,
  })
  @Delete(':id')
  purge(@CurrentActor() actor: Actor, @PathId('document') id: string) {
    return this.trash.purge(actor, id);
  }
}
