import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import type { JsonText } from '#documents';
import { DomainError, MAX_DETAILS } from '#errors';
import { CheckSettings, type Actor, type WorkspaceCheckSettings } from '#workspaces';
import type { CheckResult } from './checks/findings.js';
import type { RuleName } from './checks/rules.js';
import { latestVersions } from './pinned-modules.js';
import { Renderer } from './renderer.js';
import { Rendering, UNTITLED, type VersionSelector } from './rendering.js';

/** Checks templates, and documents that are not stored. */
@Injectable()
export class Checking {
  constructor(
    private readonly renderer: Renderer,
    private readonly rendering: Rendering,
    private readonly settings: CheckSettings,
    private readonly database: Database,
  ) {}

  /** Checks a version of a template with the levels of its workspace. */
  async checkTemplate(
    actor: Actor,
    id: string,
    selector: VersionSelector,
  ): Promise<CheckResult<RuleName>> {
    const { name, content } = await this.rendering.select(actor, id, selector);
    const settings = await this.settings.ofTemplate(id);
    return this.check(actor, content.text, name, settings?.levels);
  }

  /**
   * Checks a document that is not stored, with the modules that the caller may read.
   *
   * @param workspaceId a workspace with whose levels to check.
   */
  async checkContent(
    actor: Actor,
    content: JsonText,
    workspaceId: string | undefined,
  ): Promise<CheckResult<RuleName>> {
    const text = await this.rendering.expand(actor, content);
    const settings = workspaceId && (await this.settings.get(actor, workspaceId));
    return this.check(actor, text, UNTITLED, settings ? settings.levels : undefined);
  }

  /** The error for publishing a version in a workspace that publishes no errors, if the version has some. */
  async findRefusal(actor: Actor, id: string, version: number): Promise<DomainError | undefined> {
    try {
      const { findings, counts } = await this.checkTemplate(latestFor(actor), id, { version });
      if (counts.error === 0) return undefined;
      const errors = findings.filter(({ severity }) => severity === 'error');
      const details = errors.slice(0, MAX_DETAILS).map(({ path, rule, message }) => {
        return { path: `content${path}`, message: `${rule}: ${message}` };
      });
      const count = counts.error === 1 ? '1 error' : `${counts.error} errors`;
      const sentence = `The version has ${count}, and the workspace publishes no errors.`;
      return new DomainError('conflict', `${sentence} ${errors[0]?.message ?? ''}`, details);
    } catch (error) {
      const isInvalid = error instanceof DomainError && error.code === 'invalid';
      if (isInvalid) return DomainError.conflict(error.message);
      throw error;
    }
  }

  private async check(
    actor: Actor,
    content: string,
    title: string,
    levels: WorkspaceCheckSettings['levels'] = {},
  ): Promise<CheckResult<RuleName>> {
    const versions = await latestVersions(this.database, actor, content);
    return this.renderer.check({ content, title, levels, latestVersions: versions });
  }
}

/** Writes never decide by what a replica says. */
const latestFor = (actor: Actor): Actor => ({ ...actor, needsLatest: true });
