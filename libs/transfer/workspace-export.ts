import { Injectable } from '@nestjs/common';
import { Database } from '#database';
import { exportDocuments, takeExportTime } from '#documents';
import { DomainError } from '#errors';
import { MODULE, TEMPLATE } from '#documents';
import { v7 as uuidv7 } from 'uuid';
import { ExportDigest, type ExportLine } from './export-digest.js';

/** The version of the export format. An import accepts only files of this version. */
export const FORMAT = 1;

interface WorkspaceRow {
  id: string;
  name: string;
  checkLevels: object;
  errorsBlockPublishing: boolean;
}

@Injectable()
export class WorkspaceExport {
  constructor(private readonly database: Database) {}

  /**
   * Yields the lines of an export: the workspace, its documents with their versions, and the digests of all previous
   * lines. Versions never change, so the export shows the documents as of one point in time, although it reads them in
   * pages.
   *
   * @throws DomainError `not_found` if there is no such workspace.
   */
  async *lines(workspaceId: string): AsyncGenerator<ExportLine> {
    const time = await takeExportTime(this.database);
    const workspace = await this.loadWorkspace(workspaceId);
    const digest = new ExportDigest();
    const header = { kind: 'workspace', format: FORMAT, exportId: uuidv7(), time, ...workspace };
    digest.add(header);
    yield header;
    for await (const line of this.documents(workspaceId, time)) {
      digest.add(line);
      yield line;
    }
    yield { kind: 'end', digests: digest.digests() };
  }

  /**
   * Exports templates before modules, so that every module that a template uses exists by the time modules are read.
   */
  async *documents(workspaceId: string, time: string): AsyncGenerator<ExportLine> {
    for (const type of [TEMPLATE, MODULE]) {
      for await (const row of exportDocuments(this.database, type, workspaceId, time)) {
        yield row as ExportLine;
      }
    }
  }

  private async loadWorkspace(workspaceId: string): Promise<WorkspaceRow> {
    const [workspace] = await this.database.query<WorkspaceRow>(
      `SELECT id, name, check_levels AS "checkLevels",
         errors_block_publishing AS "errorsBlockPublishing" FROM workspaces WHERE id = $1`,
      [workspaceId],
    );
    if (workspace === undefined) throw DomainError.notFound('workspace');
    return workspace;
  }
}
