import { Injectable } from '@nestjs/common';
import { isOfKind, Documents, DocumentStore, expandRows, TEMPLATE } from '#documents';
import type { JsonText } from '#json';
import { DomainError } from '#errors';
import { Publishing } from '#publishing';
import {
  authorise,
  callerColumns,
  fromCallerInWorkspace,
  type Actor,
  type CallerRow,
} from '#workspaces';
import type { MergeData } from './personalisation/index.js';
import type { MailClient } from './mail-clients/index.js';
import type { RenderFormat } from './document/index.js';
import { parseObject, sampleDataOf, titleOf } from './email-settings.js';
import type { WaitingRequest } from './render-job.js';
import { Renderer, type RenderedDocument } from './renderer.js';

// The title of an unsaved document without a title of its own. Screen readers and browsers need a title.
export const UNTITLED = 'Email';

/**
 * Selects a version of a template by its number, or by the environment in which it is published. By default, the latest
 * version is selected.
 */
export interface VersionSelector {
  version?: number | undefined;
  environment?: string | undefined;
}

interface RenderOptions {
  format: RenderFormat;
  data?: MergeData | undefined;
  client?: MailClient | undefined;
  /** The language of the texts as a canonical tag (BCP 47). By default, the language of the document. */
  language?: string | undefined;
  /** Whether data that does not fit the variables of the document is refused. */
  strict?: boolean | undefined;
}

/** A document in which the contents of modules replace the references to modules. */
interface Expanded {
  name: string;
  version: number;
  /** Undefined if `documents.getVersion` loaded the document, because versions are loaded without the workspace. */
  workspaceId?: string;
  content: JsonText;
  /** One warning for each missing module. */
  warnings?: readonly unknown[];
}

/** An unsaved document with the contents of its modules, and the tenant for whom it is rendered. */
interface UnsavedDocument {
  content: string;
  tenant: string;
}

/** A rendered version, with everything that a mailbox shows. */
interface RenderedEmail {
  version: number;
  subject: string;
  html: string;
  text: string;
}

/** Renders stored templates and unsaved documents. */
@Injectable()
export class Rendering {
  constructor(
    private readonly renderer: Renderer,
    private readonly store: DocumentStore,
    private readonly documents: Documents,
    private readonly publishing: Publishing,
  ) {}

  async renderTemplate(
    actor: Actor,
    id: string,
    selector: VersionSelector,
    { format, data, client, language, strict }: RenderOptions,
    waiting?: WaitingRequest,
  ): Promise<RenderedDocument> {
    const { name, workspaceId, content } = await this.select(actor, id, selector);
    const source = { content: content.text, title: name, format, client, language };
    const request = { tenant: () => workspaceId ?? this.workspaceOf(id), waiting };
    if (strict) await this.renderer.validate({ content: content.text, data }, request);
    return this.renderer.render(source, request, data);
  }

  /**
   * Renders a version as an email to send.
   *
   * @param options the data of the recipient, by default the sample data of the document, and the language.
   */
  async renderEmail(
    actor: Actor,
    id: string,
    selector: VersionSelector,
    { data, language }: Pick<RenderOptions, 'data' | 'language'>,
    waiting?: WaitingRequest,
  ): Promise<RenderedEmail> {
    const { name, version, workspaceId, content } = await this.select(actor, id, selector);
    const source = { content: content.text, title: name, format: 'all', language } as const;
    const tenant = () => workspaceId ?? this.workspaceOf(id);
    const document = parseObject(source.content);
    const filledWith = data ?? sampleDataOf(document);
    const rendered = await this.renderer.render(source, { tenant, waiting }, filledWith);
    const { html = '', text = '', subject } = rendered;
    return { version, subject: subject || titleOf(document) || name, html, text };
  }

  /** Renders a version as HTML, without data. The result never changes, unless a module is missing. */
  async versionHtml(
    actor: Actor,
    id: string,
    version: number,
    waiting?: WaitingRequest,
  ): Promise<{ html: string; isComplete: boolean }> {
    const selected = await this.select(actor, id, { version });
    const { name, workspaceId, content, warnings } = selected;
    const source = { content: content.text, title: name, format: 'html' } as const;
    const tenant = () => workspaceId ?? this.workspaceOf(id);
    const { html = '' } = await this.renderer.render(source, { tenant, waiting });
    return { html, isComplete: warnings === undefined || warnings.length === 0 };
  }

  /**
   * Writes the variables that a version declares as TypeScript.
   *
   * @throws DomainError `invalid` if the declaration is not a JSON Schema.
   */
  async versionTypes(
    actor: Actor,
    id: string,
    version: number,
    waiting?: WaitingRequest,
  ): Promise<string> {
    const { content } = await this.documents.getVersion(TEMPLATE, actor, id, version);
    return this.renderer.types(
      { content: content.text },
      { tenant: () => this.workspaceOf(id), waiting },
    );
  }

  /** Expands the modules of an unsaved document and renders the document. */
  async renderContent(
    actor: Actor,
    content: JsonText,
    {
      format,
      data,
      client,
      language,
      strict,
      workspaceId,
    }: RenderOptions & { workspaceId?: string | undefined },
    waiting?: WaitingRequest,
  ): Promise<RenderedDocument> {
    const { content: text, tenant } = await this.expand(actor, content, workspaceId);
    const source = { content: text, title: UNTITLED, format, client, language };
    const request = { tenant: () => tenant, waiting };
    if (strict) await this.renderer.validate({ content: text, data }, request);
    return this.renderer.render(source, request, data);
  }

  /**
   * Expands the modules of an unsaved document, except those that the caller may not read.
   *
   * @param workspaceId the workspace for which the document is rendered. The caller must be a viewer.
   * @throws DomainError `forbidden` for an API key that is limited to an environment.
   */
  async expand(
    actor: Actor,
    content: JsonText,
    workspaceId: string | undefined,
  ): Promise<UnsavedDocument> {
    const tenant = await this.tenantOf(actor, workspaceId);
    const [row] = await expandRows(this.store, actor, [{ content: content.text }]);
    return { content: row?.content ?? '{}', tenant };
  }

  /** Loads a version of a template, with the contents of its modules. */
  select(actor: Actor, id: string, { version, environment }: VersionSelector): Promise<Expanded> {
    if (version !== undefined)
      return this.documents.getVersion(TEMPLATE, actor, id, version, 'modules');
    if (environment !== undefined) return this.publishing.read(actor, id, environment, 'modules');
    return this.documents.get(TEMPLATE, actor, id, 'modules');
  }

  /** Returns the workspace of a template. The caller must already have checked that the user may read the template. */
  async workspaceOf(templateId: string): Promise<string> {
    const [row] = await this.store.database.query<{ workspaceId: string }>(
      `SELECT workspace_id AS "workspaceId" FROM documents WHERE id = $1 AND ${isOfKind('documents', 'template')}`,
      [templateId],
    );
    // The template may have been deleted in the meantime.
    return row?.workspaceId ?? templateId;
  }

  /**
   * Returns the given workspace, or the workspace of an API key, or the user for any other caller. Rejects deactivated
   * users, because no other check rejects them if the document refers to no modules. Rejects API keys that may read
   * only published templates, because a document may refer to any module and version.
   */
  async tenantOf({ userId }: Actor, workspaceId: string | undefined): Promise<string> {
    const [caller] = await this.store.database.query<CallerOfRender>(
      `SELECT ${callerColumns('workspace.id')}, api_key.environment IS NOT NULL AS "isLimited",
         api_key.workspace_id AS "workspaceOfKey"
       ${fromCallerInWorkspace('$2')}
       LEFT JOIN api_keys api_key ON api_key.user_id = caller.id WHERE caller.id = $1`,
      [userId, workspaceId],
    );
    if (!caller?.isCallerActive) throw DomainError.inactive();
    if (caller.isLimited) {
      throw DomainError.forbidden('The API key may read only published templates.');
    }
    if (workspaceId === undefined) return caller.workspaceOfKey ?? userId;
    authorise(caller, 'viewer', 'workspace');
    return workspaceId;
  }
}

interface CallerOfRender extends CallerRow {
  isLimited: boolean;
  workspaceOfKey: string | null;
}
