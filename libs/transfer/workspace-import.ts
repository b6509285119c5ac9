import { Injectable } from '@nestjs/common';
import { Database, noEvent, UnitOfWork, type Query } from '#database';
import {
  importDocument,
  importVersions,
  type ImportedDocument,
  type ImportedVersion,
} from '#documents';
import { DomainError } from '#errors';
import { MODULE, TEMPLATE } from '#documents';
import { audit, INTERNAL_ISSUER_PREFIX, normalizeEmail } from '#workspaces';
import { isDeepStrictEqual } from 'node:util';
import { ExportDigest, type Digests, type ExportLine } from './export-digest.js';
import { IdMap } from './id-map.js';
import { FORMAT, WorkspaceExport } from './workspace-export.js';

export interface ImportOptions {
  /** The email address of the user who will own the workspace. */
  owner: string;
  /** Whether the workspace and its documents get new ids. */
  hasNewIds: boolean;
}

interface Header extends ExportLine {
  format: number;
  exportId: string;
  id: string;
  name: string;
  checkLevels: object;
  errorsBlockPublishing: boolean;
}

/** Reads the lines of a file. Each call starts at the beginning of the file. */
type ReadLines = () => AsyncIterable<ExportLine>;

// A transaction ends when the contents of its versions reach this many characters.
const CHARACTERS_PER_TRANSACTION = 4 * 1024 * 1024;
const VERSIONS_PER_TRANSACTION = 200;
const NO_EVENT_REASON = 'nobody is a member of the workspace while it is imported';

/**
 * Imports an export as a new workspace. The workspace has no members until everything is stored and verified. Until
 * then, nobody sees the workspace, so no client can miss a document that is stored later with an earlier timestamp, and
 * no webhook waits for events.
 */
@Injectable()
export class WorkspaceImport {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly exporter: WorkspaceExport,
  ) {}

  /**
   * Imports a file. If an earlier import of the file was interrupted, this call continues it, and data that is already
   * stored is not changed.
   *
   * @returns the id of the workspace.
   * @throws DomainError `invalid` if the file is damaged, `conflict` if the workspace exists, `not_found` if no user
   * has the email address of the owner.
   */
  async run(readLines: ReadLines, options: ImportOptions): Promise<string> {
    const { header, ids } = await verifyFile(readLines);
    const ownerId = await this.findOwner(options.owner);
    const map = (line: ExportLine) => (options.hasNewIds ? ids.map(line) : line);
    const workspace = map(header) as Header;
    await this.createWorkspace(workspace);
    const expected = new ExportDigest();
    for await (const step of stepsOf(readLines, map)) {
      for (const line of step) expected.add(withoutEmptyTexts(line));
      await this.store(workspace.id, step);
    }
    const stored = new ExportDigest();
    for await (const line of this.exporter.documents(workspace.id, 'infinity')) {
      stored.add(withoutEmptyTexts(line));
    }
    if (!isDeepStrictEqual(stored.digests(), expected.digests())) {
      throw DomainError.conflict(
        'The stored documents differ from the file, because this database already contains other documents with some of the ids in the file. Import the file with --new-ids.',
      );
    }
    await this.finish(workspace, ownerId);
    return workspace.id;
  }

  private async findOwner(email: string): Promise<string> {
    const [owner] = await this.database.query<{ id: string }>(
      `SELECT id FROM users WHERE verified_email = $1 AND status = 'active' AND kind = 'person'
       ORDER BY email_said_at DESC LIMIT 1`,
      [normalizeEmail(email)],
    );
    if (owner === undefined) {
      throw DomainError.notFound('owner: no active user has this verified email address');
    }
    return owner.id;
  }

  /** Creates the workspace under a temporary name, which marks an unfinished import. */
  private async createWorkspace({ id, exportId }: Header): Promise<void> {
    const [purge] = await this.database.query(
      'SELECT FROM documents_to_purge WHERE workspace_id = $1 LIMIT 1',
      [id],
    );
    if (purge !== undefined) {
      throw DomainError.conflict(
        `A worker is still deleting the documents of an earlier workspace with the id ${id}. Try again later, or import the file with --new-ids.`,
      );
    }
    const name = `Import ${exportId}`;
    const [workspace] = await this.database.query<{ name: string }>(
      `WITH created AS (
         INSERT INTO workspaces (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id, name
       ), feed AS (
         INSERT INTO workspace_feeds (workspace_id) SELECT id FROM created
       )
       SELECT name FROM created UNION ALL SELECT name FROM workspaces WHERE id = $1`,
      [id, name],
    );
    if (workspace?.name !== name) {
      throw DomainError.conflict(
        `The workspace ${id} already exists in this database. If the file was imported without --new-ids, it can be imported once more with --new-ids.`,
      );
    }
  }

  private async store(workspaceId: string, lines: readonly ExportLine[]): Promise<void> {
    await this.unitOfWork.write(async (transaction) => {
      await createAuthors(transaction.query, lines);
      for (const type of [TEMPLATE, MODULE]) {
        const versions = lines.filter(({ kind }) => kind === `${type.kind}Version`);
        if (versions.length > 0) {
          await importVersions(transaction, type, versions as unknown as ImportedVersion[]);
        }
        for (const line of lines) {
          if (line.kind !== type.kind) continue;
          const document = line as unknown as ImportedDocument;
          const latest = versions.find(
            ({ id, version }) => id === document.id && version === document.version,
          );
          if (latest === undefined)
            throw new Error('The import of a document does not contain its latest version.');
          const content = String(latest['content']);
          await importDocument(transaction, type, workspaceId, document, content);
        }
      }
      return noEvent(undefined, NO_EVENT_REASON);
    });
  }

  private async finish(workspace: Header, ownerId: string): Promise<void> {
    const { id, name, checkLevels, errorsBlockPublishing } = workspace;
    await this.unitOfWork.write(async (transaction) => {
      await transaction.query(
        `UPDATE workspaces SET name = $2, check_levels = $3, errors_block_publishing = $4 WHERE id = $1`,
        [id, name, JSON.stringify(checkLevels), errorsBlockPublishing],
      );
      await transaction.query(
        `INSERT INTO workspace_members (workspace_id, user_id, role) VALUES ($1, $2, 'owner')`,
        [id, ownerId],
      );
      audit(transaction, {
        actor: { userId: null, ipAddress: null },
        workspaceId: id,
        action: 'workspace.created',
        targetId: id,
        details: { name },
      });
      return noEvent(undefined, NO_EVENT_REASON);
    });
  }
}

/**
 * Removes empty strings, so that lines can be compared. A file from an earlier release lacks text fields that were
 * added later, but Galley stores these fields as empty strings.
 */
const withoutEmptyTexts = (line: ExportLine): ExportLine => ({
  kind: line.kind,
  ...Object.fromEntries(Object.entries(line).filter(([, value]) => value !== '')),
});

/** Reads the whole file, and compares it with its digests. */
async function verifyFile(readLines: ReadLines): Promise<{ header: Header; ids: IdMap }> {
  const digest = new ExportDigest();
  let header: Header | undefined;
  let ids: IdMap | undefined;
  let expected: Digests | undefined;
  for await (const line of readLines()) {
    if (line.kind === 'end') expected = line['digests'] as Digests;
    else digest.add(line);
    if (line.kind === 'workspace') {
      header = line as Header;
      ids = new IdMap(header.exportId, header.id);
    }
    if (line.kind === 'module') ids?.addModule(String(line['id']));
  }
  if (header === undefined || ids === undefined || header.format !== FORMAT) {
    throw DomainError.invalid('file', `The file is not an export of format ${FORMAT}.`);
  }
  if (!isDeepStrictEqual(expected, digest.digests())) {
    throw DomainError.invalid(
      'file',
      'The file is damaged or incomplete. Export the workspace again.',
    );
  }
  return { header, ids };
}

/**
 * Yields the lines that each transaction stores. A document is stored together with its latest version and after its
 * earlier versions, so that every stored document has all its versions.
 */
async function* stepsOf(
  readLines: ReadLines,
  map: (line: ExportLine) => ExportLine,
): AsyncGenerator<ExportLine[]> {
  let step: ExportLine[] = [];
  let characters = 0;
  let document: ExportLine | undefined;
  for await (const read of readLines()) {
    if (read.kind === 'workspace' || read.kind === 'end') continue;
    const line = map(read);
    if (line.kind === TEMPLATE.kind || line.kind === MODULE.kind) {
      document = line;
      continue;
    }
    step.push(line);
    characters += String(line['content']).length;
    if (line['version'] === document?.['version']) step.push(document as ExportLine);
    if (characters >= CHARACTERS_PER_TRANSACTION || step.length >= VERSIONS_PER_TRANSACTION) {
      yield step;
      [step, characters] = [[], 0];
    }
  }
  if (step.length > 0) yield step;
}

/** Creates a user for each author who does not exist in this database. Only the id of such a user is known. */
async function createAuthors(query: Query, lines: readonly ExportLine[]): Promise<void> {
  const ids = lines.flatMap(({ createdBy, updatedBy }) => [createdBy, updatedBy]);
  await query(
    `INSERT INTO users (id, issuer, subject, status)
     SELECT author, '${INTERNAL_ISSUER_PREFIX}import', author::text, 'deleted'
     FROM unnest($1::uuid[]) author ON CONFLICT DO NOTHING`,
    // Sorted, so that two concurrent imports do not deadlock.
    [[...new Set(ids.filter((id) => typeof id === 'string'))].sort()],
  );
}
