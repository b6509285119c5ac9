import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MODULE } from '#documents';
import { documentResponses } from './document.responses.js';
import { documentsController } from './documents.controller.js';
import { versionsController } from './versions.controller.js';

const responses = documentResponses('module');

@ApiTags('Modules')
@Controller('api/modules')
export class ModulesController extends documentsController(MODULE, responses, {
  deleteInUse:
    'Templates or other modules use a module that the request deletes; `message` says how many.',
  delete:
    'Moves the module and all its versions to the trash, where they stay for 30 days (`TRASH_DAYS`). To delete a module that a template or another module uses, send `force=true`. The references then stay in the documents, and a response with `expand=modules` has an empty node in place of each reference.',
  duplicate:
    'The copy starts at version 1, without the version history of the original. Galley publishes no event when you duplicate a module.',
}) {}

@ApiTags('Modules')
@Controller('api/modules/:id/versions')
export class ModuleVersionsController extends versionsController(
  MODULE,
  responses,
  'Creates a new version with the name, category, description and document of the version in the path.',
) {}
