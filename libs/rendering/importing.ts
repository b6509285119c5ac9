import { Injectable } from '@nestjs/common';
import { JsonText } from '#json';
import type { Actor } from '#workspaces';
import type { ImportFormat } from './conversion/index.js';
import type { WaitingRequest } from './render-job.js';
import { Renderer } from './renderer.js';
import { Rendering } from './rendering.js';

interface ImportRequest {
  format: ImportFormat;
  /** A string or an object. */
  content: JsonText;
  /** The workspace for which the content is imported. */
  workspaceId?: string | undefined;
}

/** Turns contents of other programs into documents. Stores nothing. */
@Injectable()
export class Importing {
  constructor(
    private readonly renderer: Renderer,
    private readonly rendering: Rendering,
  ) {}

  /**
   * @returns the document and the report, as JSON.
   * @throws DomainError `invalid` if the content does not have the format; `forbidden` for an API key that is limited to
   * an environment.
   */
  async importDocument(
    actor: Actor,
    { format, content, workspaceId }: ImportRequest,
    waiting?: WaitingRequest,
  ): Promise<JsonText> {
    const tenant = await this.rendering.tenantOf(actor, workspaceId);
    const source = { format, content: content.text };
    const imported = await this.renderer.convert(source, { tenant: () => tenant, waiting });
    return new JsonText(imported);
  }
}
