import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TEMPLATE } from '#documents';
import { documentResponses } from './document.responses.js';
import { documentsController } from './documents.controller.js';
import { versionsController } from './versions.controller.js';

const responses = documentResponses('template');

@ApiTags('Templates')
@Controller('api/templates')
export class TemplatesController extends documentsController(TEMPLATE, responses, {
  delete:
    'Moves the template and all its versions to the trash, where they stay for 30 days (`TRASH_DAYS`).',
  duplicate:
    'The copy starts at version 1, without the version history of the original. Galley publishes the event `template.duplicated`.',
}) {}

@ApiTags('Templates')
@Controller('api/templates/:id/versions')
export class TemplateVersionsController extends versionsController(
  TEMPLATE,
  responses,
  'Creates a new version with the name and the document of the version in the path. `modules` decides whether Galley pins references to modules.',
) {}
