import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import type { JsonText } from '#json';
import { DomainError, MAX_DETAILS } from '#errors';
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
}

/** Checks stored templates and unsaved documents. */
@Injectable()
export class Checking {
  constructor(
    private readonly renderer: Renderer,
    private readonly rendering: Rendering,
    private readonly settings: CheckSettings,
    private readonly database: Database,
  ) {}

  /** Checks a version of a template with the rule levels of its workspace. */
  async checkTemplate(
    actor: Actor,
    id: string,
    selector: VersionSelector,
    { data }: Pick<CheckOptions, 'data'> = {},
    waiting?: WaitingRequest,
  ): Promise<CheckResult<RuleName>> {
    const { name, workspaceId, content } = await this.rendering.select(actor, id, selector);
    const settings = await this.settings.getForTemplate(id);
    const source = { content: content.text, title: name, levels: settings?.levels ?? {}, data };
    const tenant = () => workspaceId ?? this.rendering.workspaceOf(id);
    return this.check(actor, source, { tenant, waiting });
  }

  /** Checks an unsaved document, including the modules that the caller may read. */
  async checkContent(
    actor: Actor,
    content: JsonText,
    { workspaceId, data }: CheckOptions,
    waiting?: WaitingRequest,
  ): Promise<CheckResult<RuleName>> {
    const { content: text, tenant } = await this.rendering.expand(actor, content, workspaceId);
    const settings = workspaceId && (await this.settings.get(actor, workspaceId));
    const levels = settings ? settings.levels : {};
    const source = { content: text, title: UNTITLED, levels, data };
    return this.check(actor, source, { tenant: () => tenant, waiting });
  }

  /**
   * Checks a version before it is published in a workspace where errors block publishing. Returns the error for the
   * caller, or undefined if the version may be published.
   */
  async findRefusal(
    actor: Actor,
    id: string,
    version: number,
    waiting?: WaitingRequest,
  ): Promise<DomainError | undefined> {
    try {
      const selector = { version };
      const result = await this.checkTemplate(latestFor(actor), id, selector, {}, waiting);
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
