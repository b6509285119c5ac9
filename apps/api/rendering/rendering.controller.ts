import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { Rendering } from '#rendering';
import type { Actor } from '#workspaces';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../http/operation.js';
import { PathId } from '../validation/path-params.js';
import { RenderDto, RenderTemplateDto } from './rendering.dto.js';
import { RenderedResponse } from './rendering.responses.js';

@ApiTags('Rendering')
@Controller('api')
export class RenderingController {
  constructor(private readonly rendering: Rendering) {}

  @Operation({
    id: 'renderTemplate',
    summary: 'Render a template',
    role: 'viewer',
    accessDescription:
      'Requires the `viewer` role in the workspace. An API key that is limited to an environment may render what is published there.',
    description:
      'Makes the HTML of an email from a version of the template, with its modules. Blocks and properties that Galley cannot draw are left out, and `warnings` names them. A document without an array `stripes` gets 400.',
    response: RenderedResponse,
    optionalBody: true,
    mayTakeLong: true,
    errors: { unavailable: 'Too many documents are being rendered, or this one takes too long.' },
  })
  @Post('templates/:id/render')
  renderTemplate(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @Body() { version, environment, format }: RenderTemplateDto,
  ) {
    if (version !== undefined && environment !== undefined) {
      throw DomainError.invalid('environment', 'Send either version or environment, not both.');
    }
    return this.rendering.renderTemplate(actor, id, { version, environment }, format);
  }

  @Operation({
    id: 'render',
    summary: 'Render a document',
    description:
      'Makes the HTML of an email from a document that is not stored, with the modules that you may read. Blocks and properties that Galley cannot draw are left out, and `warnings` names them.',
    response: RenderedResponse,
    mayTakeLong: true,
    errors: {
      forbidden: 'The API key is limited to an environment.',
      unavailable: 'Too many documents are being rendered, or this one takes too long.',
    },
  })
  @Post('render')
  render(@CurrentActor() actor: Actor, @Body() { content, format }: RenderDto) {
    return this.rendering.renderContent(actor, content, format);
  }
}
