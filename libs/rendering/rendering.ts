import { Injectable } from '@nestjs/common';
import { DocumentStore, expandRows, type JsonText } from '#documents';
import { DomainError } from '#errors';
import { Publishing, Templates } from '#templates';
import type { Actor } from '#workspaces';
import type { MergeData } from './personalisation/personalise.js';
import type { RenderFormat } from './render-formats.js';
import { Renderer, type RenderedDocument } from './renderer.js';

// Screen readers and browsers need a title.
export const UNTITLED = 'Email';

/** Which version of a template to render or check; without both, the latest one. */
export interface VersionSelector {
  version?: number | undefined;
  environment?: string | undefined;
}

/** How to render a document. */
interface RenderOptions {
  format: RenderFormat;
  data?: MergeData | undefined;
}

/** A document with the documents of its modules. */
interface Expanded {
  name: string;
  content: JsonText;
  /** The modules that are missing. */
  warnings?: readonly unknown[];
}

/** Renders templates, and documents that are not stored. */
@Injectable()
export class Rendering {
  constructor(
    private readonly renderer: Renderer,
    private readonly store: DocumentStore,
    private readonly templates: Templates,
    private readonly publishing: Publishing,
  ) {}

  async renderTemplate(
    actor: Actor,
    id: string,
    selector: VersionSelector,
    { format, data }: RenderOptions,
  ): Promise<RenderedDocument> {
    const { name, content } = await this.select(actor, id, selector);
    return this.renderer.render({ content: content.text, title: name, format }, data);
  }

  /** The HTML of a version, without data. It never changes, unless a module is missing. */
  async versionHtml(
    actor: Actor,
    id: string,
    version: number,
  ): Promise<{ html: string; isComplete: boolean }> {
    const { name, content, warnings } = await this.select(actor, id, { version });
    const source = { content: content.text, title: name, format: 'html' } as const;
    const { html = '' } = await this.renderer.render(source);
    return { html, isComplete: warnings === undefined || warnings.length === 0 };
  }

  /** Renders a document that is not stored, as `expand` makes it. */
  async renderContent(
    actor: Actor,
    content: JsonText,
    { format, data }: RenderOptions,
  ): Promise<RenderedDocument> {
    const text = await this.expand(actor, content);
    return this.renderer.render({ content: text, title: UNTITLED, format }, data);
  }

  /**
   * Puts the modules that the caller may read into a document that is not stored.
   *
   * @throws DomainError `forbidden` for an API key that is limited to an environment.
   */
  async expand(actor: Actor, content: JsonText): Promise<string> {
    await this.requireReader(actor);
    const [row] = await expandRows(this.store, actor, [{ content: content.text }]);
    return row?.content ?? '{}';
  }

  /** The version of a template, with its modules. */
  select(actor: Actor, id: string, { version, environment }: VersionSelector): Promise<Expanded> {
    if (version !== undefined) return this.templates.getVersion(actor, id, version, 'modules');
    if (environment !== undefined) return this.publishing.read(actor, id, environment, 'modules');
    return this.templates.get(actor, id, 'modules');
  }

  /**
   * Refuses deactivated users, whom nothing else would refuse if the document has no references. Refuses keys
   * that may only read what is published, since a document may refer to any module and version.
   */
  private async requireReader({ userId }: Actor): Promise<void> {
    const [caller] = await this.store.database.query<{ isActive: boolean; isLimited: boolean }>(
      `SELECT status = 'active' AS "isActive",
         (SELECT environment FROM api_keys WHERE user_id = users.id) IS NOT NULL AS "isLimited"
       FROM users WHERE id = $1`,
      [userId],
    );
    if (!caller?.isActive) throw DomainError.inactive();
    if (caller.isLimited) {
      throw DomainError.forbidden('The API key may only read what is published.');
    }
  }
}
