import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { JsonText } from '#json';
import { Importing } from '#rendering';
import type { Actor } from '#workspaces';
import { CurrentSlot, type Slot } from '../admission/slot.decorator.js';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { BodyDto } from '../validation/inputs.js';
import { ImportDto } from './imports.dto.js';
import { ImportedResponse } from './imports.responses.js';

@ApiTags('Imports')
@Controller('api')
export class ImportsController {
  constructor(private readonly importing: Importing) {}

  @Operation({
    id: 'importDocument',
    isSafe: true,
    summary: 'Import a document from another format',
    description:
      'Turns MJML, HTML or the document of another editor into a document, with a report of what is different. Galley stores nothing: create a template with the document. Galley loads no pictures, fonts and included files. A content that does not have the format gets 400.',
    response: ImportedResponse,
    errors: {
      forbidden:
        'The API key is limited to an environment, or you are not a member of the workspace.',
      not_found: 'There is no such workspace.',
      unavailable:
        'Too many documents are being imported, or this content takes too long to import.',
    },
  })
  @Post('imports')
  importDocument(
    @CurrentActor() actor: Actor,
    @BodyDto() { content, ...others }: ImportDto,
    @CurrentSlot() slot: Slot,
  ) {
    const request = { ...others, content: content as JsonText };
    return this.importing.importDocument(actor, request, slot);
  }
}
