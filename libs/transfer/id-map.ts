import { createHash } from 'node:crypto';
import { withPartition } from '#workspaces';
import type { ExportLine } from './export-digest.js';

const QUOTED_ID = /"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"/gi;

/**
 * Assigns new ids to the workspace and the documents of an export. The new ids depend only on the export and on the old
 * ids, so that an interrupted import continues with the same ids.
 */
export class IdMap {
  private readonly moduleIds = new Set<string>();

  private readonly newWorkspaceId: string;

  constructor(
    private readonly exportId: string,
    private readonly workspaceId: string,
  ) {
    this.newWorkspaceId = this.hashedId(workspaceId);
  }

  addModule(id: string): void {
    this.moduleIds.add(id);
  }

  newId(id: string): string {
    if (id === this.workspaceId) return this.newWorkspaceId;
    return withPartition(this.hashedId(id), this.newWorkspaceId);
  }

  private hashedId(id: string): string {
    const hex = createHash('sha256').update(`${this.exportId} ${id}`).digest('hex');
    // A version 7 UUID begins with a time. The new id keeps the time of the old id.
    return `${id.slice(0, 14)}7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
  }

  /** Returns a line with new ids, including the ids in references to modules of the export. */
  map(line: ExportLine): ExportLine {
    const mapped: ExportLine = { ...line };
    if (typeof line['id'] === 'string') mapped['id'] = this.newId(line['id']);
    if (typeof line['content'] === 'string') mapped['content'] = this.mapText(line['content']);
    if (line['references'] !== null && line['references'] !== undefined) {
      mapped['references'] = JSON.parse(this.mapText(JSON.stringify(line['references'])));
    }
    return mapped;
  }

  /**
   * Replaces the ids of modules. In a document, an id is a JSON string, so the pattern includes the quotation marks.
   */
  private mapText(text: string): string {
    return text.replace(QUOTED_ID, (quoted, id: string) =>
      this.moduleIds.has(id.toLowerCase()) ? `"${this.newId(id.toLowerCase())}"` : quoted,
    );
  }
}
