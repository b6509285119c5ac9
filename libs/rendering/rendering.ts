import { Injectable } from '@nestjs/common';
import {
  DocumentStore,
  expandRows,
  JsonText,
  type ExpandProblem,
  type ExpandWarning,
} from '#documents';
import { DomainError } from '#errors';
import { Publishing, Templates } from '#templates';
import type { Actor } from '#workspaces';
import type { CompiledDocument } from './compile.js';
import type { RenderWarning } from './mjml/drawing.js';
import { Renderer } from './renderer.js';

/** The results of a rendering: the HTML, plain text, the MJML from which the HTML was made, or all of them. */
export const renderFormats = ['html', 'text', 'mjml', 'all'] as const;
export type RenderFormat = (typeof renderFormats)[number];

type RenderResult = Exclude<RenderFormat, 'all'>;

export interface Rendered extends Partial<Pick<CompiledDocument, RenderResult>> {
  warnings: RenderWarning[];
}

// Screen readers and browsers need a title.
const UNTITLED = 'Email';

interface Expanded {
  name: string;
  content: JsonText;
  warnings?: ExpandWarning[];
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

  /** @param selector the version; without it, the latest version. */
  async renderTemplate(
    actor: Actor,
    id: string,
    selector: { version?: number | undefined; environment?: string | undefined },
    format: RenderFormat,
  ): Promise<Rendered> {
    return this.render(await this.select(actor, id, selector), format);
  }

  /** Renders a document. Its references show the modules that the caller may read. */
  async renderContent(actor: Actor, content: JsonText, format: RenderFormat): Promise<Rendered> {
    await requireActive(this.store, actor);
    const [row] = await expandRows(this.store, actor, [{ content: content.text }]);
    return this.render(
      { name: UNTITLED, content: new JsonText(row?.content ?? ''), warnings: row?.warnings ?? [] },
      format,
    );
  }

  private select(
    actor: Actor,
    id: string,
    { version, environment }: { version?: number | undefined; environment?: string | undefined },
  ): Promise<Expanded> {
    if (version !== undefined) return this.templates.getVersion(actor, id, version, 'modules');
    if (environment !== undefined) return this.publishing.read(actor, id, environment, 'modules');
    return this.templates.get(actor, id, 'modules');
  }

  private async render(
    { name, content, warnings = [] }: Expanded,
    format: RenderFormat,
  ): Promise<Rendered> {
    const { warnings: ownWarnings, ...results } = await this.renderer.render({
      content: content.text,
      title: name,
    });
    return {
      ...(format === 'all' ? results : { [format]: results[format] }),
      warnings: [...warnings.map(toRenderWarning), ...ownWarnings],
    };
  }
}

/** A document without references needs no other statement that would refuse a deactivated user. */
async function requireActive({ database }: DocumentStore, { userId }: Actor): Promise<void> {
  const [caller] = await database.query<{ isActive: boolean }>(
    `SELECT status = 'active' AS "isActive" FROM users WHERE id = $1`,
    [userId],
  );
  if (!caller?.isActive) throw DomainError.inactive();
}

const PROBLEMS: Record<ExpandProblem, string> = {
  not_found: 'was deleted, or you may not read it',
  wrong_kind: 'has another type now, which does not fit here',
  too_deep: 'is nested more than five modules deep',
  too_large: 'would make the document too large',
};

const toRenderWarning = ({ path, moduleId, problem }: ExpandWarning): RenderWarning => ({
  nodeId: null,
  path,
  message: `The module ${moduleId} is left out: it ${PROBLEMS[problem]}.`,
});
