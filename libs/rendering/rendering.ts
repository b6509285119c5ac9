import { Injectable } from '@nestjs/common';
import { DocumentStore, expandRows, type JsonText } from '#documents';
import { DomainError } from '#errors';
import { Publishing, Templates } from '#templates';
import type { Actor } from '#workspaces';
import type { CompiledDocument } from './compile.js';
import type { RenderFormat } from './render-formats.js';
import { Renderer } from './renderer.js';

// Screen readers and browsers need a title.
const UNTITLED = 'Email';

/** Which version of a template to render; without both, the latest one. */
interface VersionSelector {
  version?: number | undefined;
  environment?: string | undefined;
}

/** A document with the documents of its modules. */
interface Expanded {
  name: string;
  content: JsonText;
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
    format: RenderFormat,
  ): Promise<CompiledDocument> {
    const { name, content } = await this.select(actor, id, selector);
    return this.renderer.render({ content: content.text, title: name, format });
  }

  /**
   * Renders a document that is not stored. Its references show the modules that the caller may read.
   *
   * @throws DomainError `forbidden` for an API key that is limited to an environment.
   */
  async renderContent(
    actor: Actor,
    content: JsonText,
    format: RenderFormat,
  ): Promise<CompiledDocument> {
    await this.requireReader(actor);
    const [row] = await expandRows(this.store, actor, [{ content: content.text }]);
    return this.renderer.render({ content: row?.content ?? '{}', title: UNTITLED, format });
  }

  private select(
    actor: Actor,
    id: string,
    { version, environment }: VersionSelector,
  ): Promise<Expanded> {
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
