import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { Rendering } from '#rendering';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../http/operation.js';
import { PathId } from '../validation/path-params.js';
import { CheckDto, CheckTemplateDto } from './checking.dto.js';
import { CheckedResponse } from './checking.responses.js';

@ApiTags('Checks')
@Controller('api')
export class CheckingController {
  constructor(private readonly rendering: Rendering) {}

  @Operation({
    id: 'checkTemplate',
    summary: 'Check a template',
    role: 'viewer',
    accessDescription:
      'Requires the `viewer` role in the workspace. An API key that is limited to an environment may check what is published there.',
    description:
      'Finds mistakes in a version of the template, with its modules. Galley loads no links and no pictures. A document without an array `stripes` gets 400.',
    response: CheckedResponse,
    optionalBody: true,
    mayTakeLong: true,
    errors: { unavailable: 'Too many documents are being checked, or this one takes too long.' },
  })
  @Post('templates/:id/check')
  checkTemplate(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Body() { version, environment }: CheckTemplateDto,
  ) {
    if (version !== undefined && environment !== undefined) {
      throw DomainError.invalid('environment', 'Send either version or environment, not both.');
    }
    return this.rendering.checkTemplate(actor, id, { version, environment });
  }

  @Operation({
    id: 'check',
    summary: 'Check a document',
    description:
      'Finds mistakes in a document that is not stored, with the modules that you may read. Galley loads no links and no pictures. A document without an array `stripes` gets 400.',
    response: CheckedResponse,
    mayTakeLong: true,
    errors: {
      forbidden: 'The API key is limited to an environment.',
      unavailable: 'Too many documents are being checked, or this one takes too long.',
    },
  })
  @Post('check')
  check(@CurrentActor() actor: Actor, @Body() { content }: CheckDto) {
    return this.rendering.checkContent(actor, content);
  }
}
