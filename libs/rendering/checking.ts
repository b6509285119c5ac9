import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import type { JsonText } from '#json';
import { DomainError, MAX_DETAILS } from '#errors';
import { Publishing } from '#publishing';
import { CheckSettings, type Actor } from '#workspaces';
import type { CheckResult, CheckSource, RuleName } from './checks/index.js';
import type { MergeData } from './personalisation/index.js';
import { latestVersions } from './pinned-modules.js';
import type { WaitingRequest } from './render-job.js';
import { Renderer, type RenderRequest } from './renderer.js';
import { Rendering, UNTITLED, type VersionSelector } from './rendering.js';

interface CheckOptions {
  /** The workspace whose rule levels apply; undefined for the default levels. */
  workspaceId?: string | undefined;
  /** The data of a recipient; without data, merge tags are kept as written. */
  data?: MergeData | undefined;
  /** The language of the texts that are checked. By default, the language of the document. */
  language?: string | undefined;
}

/** Checks stored templates and unsaved documents. */
@Injectable()
export class Checking {
  constructor(
    private readonly renderer: Renderer,
    private readonly rendering: Rendering,
    private readonly settings: CheckSettings,
    private readonly publishing: Publishing,
    private readonly database: Database,
  ) {}

  /** Checks a version of a template with the rule levels of its workspace. */
  async checkTemplate(
    actor: Actor,
    id: string,
    selector: VersionSelector,
    {
      data,
      language,
      published,
    }: Omit<CheckOptions, 'workspaceId'> & Pick<CheckSource, 'published'> = {},
    waiting?: WaitingRequest,
  ): Promise<CheckResult<RuleName>> {
    const { name, workspaceId, content } = await this.rendering.select(actor, id, selector);
    const settings = await this.settings.getForTemplate(id);
    const source = {
      content: content.text,
      title: name,
      levels: settings?.levels ?? {},
      data,
      language,
      published,
    };
    const tenant = () => workspaceId ?? this.rendering.workspaceOf(id);
    return this.check(actor, source, { tenant, waiting });
  }

  /** Checks an unsaved document, including the modules that the caller may read. */
  async checkContent(
    actor: Actor,
    content: JsonText,
    { workspaceId, data, language }: CheckOptions,
    waiting?: WaitingRequest,
  ): Promise<CheckResult<RuleName>> {
    const { content: text, tenant } = await this.rendering.expand(actor, content, workspaceId);
    const settings = workspaceId && (await this.settings.get(actor, workspaceId));
    const levels = settings ? settings.levels : {};
    const source = { content: text, title: UNTITLED, levels, data, language };
    return this.check(actor, source, { tenant: () => tenant, waiting });
  }

  /**
   * Checks a version before it is published in a workspace where errors block publishing. Returns the error for the
   * caller, or undefined if the version may be published.
   */
  async findRefusal(
    actor: Actor,
    id: string,
    { version, environment }: { version: number; environment: string },
    waiting?: WaitingRequest,
  ): Promise<DomainError | undefined> {
    try {
      const latest = latestFor(actor);
      const published = await this.publishedContent(latest, id, environment);
      const result = await this.checkTemplate(latest, id, { version }, { published }, waiting);
      const { findings, counts } = result;
      if (counts.error === 0) return undefined;
      const errors = findings.filter(({ severity }) => severity === 'error');
      const details = errors.slice(0, MAX_DETAILS).map(({ path, rule, message }) => {
        return { path: `content${path}`, message: `${rule}: ${message}` };
      });
      const count = counts.error === 1 ? '1 error' : `${counts.error} errors`;
      const sentence = `The version has ${count}, and the workspace does not publish versions with errors.`;
      return new DomainError('checks_failed', `${sentence} ${errors[0]?.message ?? ''}`, details);
    } catch (error) {
      const isInvalid = error instanceof DomainError && error.code === 'invalid';
      if (isInvalid) return new DomainError('checks_failed', error.message);
      throw error;
    }
  }

  /** The content of the version that is published in an environment; undefined if there is none. */
  private async publishedContent(
    actor: Actor,
    id: string,
    environment: string,
  ): Promise<string | undefined> {
    try {
      return (await this.publishing.read(actor, id, environment)).content.text;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  private async check(
    actor: Actor,
    source: Omit<CheckSource, 'latestVersions'>,
    request: RenderRequest,
  ): Promise<CheckResult<RuleName>> {
    const versions = await latestVersions(this.database, actor, source.content);
    return this.renderer.check({ ...source, latestVersions: versions }, request);
  }
}

/** Makes the actor read from the primary. Replicas may be behind, so publishing must not depend on a replica. */
const latestFor = (actor: Actor): Actor => ({ ...actor, needsLatest: true });
