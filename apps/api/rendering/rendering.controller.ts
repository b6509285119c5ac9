import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DomainError } from '#errors';
import { Rendering } from '#rendering';
import type { Actor } from '#workspaces';
import { CurrentSlot, type Slot } from '../admission/slot.decorator.js';
import { CurrentActor } from '../auth/actor.decorator.js';
import { Operation } from '../operations/operation.js';
import { BodyDto } from '../validation/inputs.js';
import { PathId, PathNumber } from '../validation/path-params.js';
import { toJsonInSlices } from './json-in-slices.js';
import { RenderDto, RenderTemplateDto } from './rendering.dto.js';
import { RenderedResponse } from './rendering.responses.js';

/** The HTML comes from a user of Galley. These headers keep a browser from running scripts in the HTML. */
const EMAIL_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox allow-popups; default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline' http: https:; font-src http: https:",
};

@ApiTags('Rendering')
@Controller('api')
export class RenderingController {
  constructor(private readonly rendering: Rendering) {}

  @Operation({
    id: 'renderTemplate',
    isSafe: true,
    summary: 'Render a template',
    role: 'viewer',
    accessDescription:
      'Requires the `viewer` role in the workspace. An API key that is limited to an environment may render what is published there.',
    description:
      'Renders a version of the template, including the modules that it uses, as the HTML of an email. Galley omits blocks and properties that it cannot render, and lists them in `warnings`. A document without a `stripes` array gets 400.',
    response: RenderedResponse,
    optionalBody: true,
    errors: {
      unavailable:
        'Too many documents are being rendered, or this document takes too long to render.',
    },
  })
  @Post('templates/:id/render')
  async renderTemplate(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @BodyDto() { version, environment, ...options }: RenderTemplateDto,
    @CurrentSlot() slot: Slot,
  ) {
    if (version !== undefined && environment !== undefined) {
      throw DomainError.invalid('environment', 'Send either version or environment, not both.');
    }
    const selector = { version, environment };
    return toJsonInSlices(await this.rendering.renderTemplate(actor, id, selector, options, slot));
  }

  @Operation({
    id: 'getTemplateVersionHtml',
    summary: 'Get the HTML of a version',
    role: 'viewer',
    description:
      'Returns the HTML of an email for a version of the template. The modules are those of the time when the version was created. Merge tags are not replaced. A version never changes, so the response may be cached for a year, unless a module is missing. A document without a `stripes` array gets 400.',
    contentType: 'text/html',
    errors: {
      unavailable:
        'Too many documents are being rendered, or this document takes too long to render.',
    },
  })
  @Get('templates/:id/versions/:version/html')
  async versionHtml(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathNumber('version') version: number,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentSlot() slot: Slot,
  ) {
    const { html, isComplete } = await this.rendering.versionHtml(actor, id, version, slot);
    void reply.headers(EMAIL_HEADERS);
    // An incomplete email must not be cached: the caller may be allowed to read the missing module later.
    if (isComplete) void reply.header('cache-control', 'private, max-age=31536000, immutable');
    return html;
  }

  @Operation({
    id: 'getTemplateVersionTypes',
    summary: 'Get the types of the data of a version',
    role: 'viewer',
    description:
      'Returns the `variables` of a version of the template as TypeScript, for programs that render the template. A version without `variables` accepts any data.',
    contentType: 'text/plain',
  })
  @Get('templates/:id/versions/:version/types')
  async versionTypes(
    @CurrentActor() actor: Actor,
    @PathId('template') id: string,
    @PathNumber('version') version: number,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentSlot() slot: Slot,
  ) {
    const types = await this.rendering.versionTypes(actor, id, version, slot);
    void reply.header('content-type', 'text/plain; charset=utf-8');
    return types;
  }

  @Operation({
    id: 'render',
    isSafe: true,
    summary: 'Render a document',
    description:
      'Renders the document that you send, including the modules that it uses and that you may read, as the HTML of an email. Galley does not store the document. Galley omits blocks and properties that it cannot render, and lists them in `warnings`.',
    response: RenderedResponse,
    errors: {
      forbidden:
        'The API key is limited to an environment, or you are not a member of the workspace.',
      not_found: 'There is no such workspace.',
      unavailable:
        'Too many documents are being rendered, or this document takes too long to render.',
    },
  })
  @Post('render')
  async render(
    @CurrentActor() actor: Actor,
    @BodyDto() { content, ...options }: RenderDto,
    @CurrentSlot() slot: Slot,
  ) {
    return toJsonInSlices(await this.rendering.renderContent(actor, content, options, slot));
  }
}
