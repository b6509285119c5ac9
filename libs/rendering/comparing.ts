import { Injectable } from '@nestjs/common';
import {
  Documents,
  type CompareRequest,
  type DocumentType,
  type VersionComparison,
} from '#documents';
import { DomainError } from '#errors';
import type { Actor } from '#workspaces';
import type { WaitingRequest } from './render-job.js';
import { Renderer } from './renderer.js';
import { Rendering } from './rendering.js';
import type { BreakingChange } from './variables/index.js';

interface Comparison extends VersionComparison {
  /** The changes of the variables by which data that fitted `from` may not fit `to`, at most 100. */
  breakingChanges: BreakingChange[];
}

/** Compares versions, and the variables that they declare. */
@Injectable()
export class Comparing {
  constructor(
    private readonly renderer: Renderer,
    private readonly documents: Documents,
    private readonly rendering: Rendering,
  ) {}

  async compareVersions(
    type: DocumentType,
    actor: Actor,
    id: string,
    request: CompareRequest,
    waiting: WaitingRequest,
  ): Promise<Comparison> {
    const comparison = await this.documents.compareVersions(type, actor, id, request);
    const { from, to, isComplete, changes } = comparison;
    // The list names each changed field. Most changes concern no variables, and need no second look at the documents.
    const mayConcernVariables = !isComplete || changes.text.includes('variables');
    if (!mayConcernVariables) return { ...comparison, breakingChanges: [] };
    const after = await this.documents.getVersion(type, actor, to.id, to.version);
    // A long list of changes rarely concerns variables.
    if (!after.content.text.includes('"variables"')) return { ...comparison, breakingChanges: [] };
    const before = await this.documents.getVersion(type, actor, from.id, from.version);
    const task = { content: after.content.text, before: before.content.text };
    const tenant = () => this.rendering.workspaceOf(to.id);
    try {
      const found = await this.renderer.breakingChanges(task, { tenant, waiting });
      return { ...comparison, breakingChanges: found.changes };
    } catch (error) {
      // A document that is too large for a thread can still be compared.
      if (error instanceof DomainError && error.code === 'invalid') {
        return { ...comparison, breakingChanges: [] };
      }
      throw error;
    }
  }
}
