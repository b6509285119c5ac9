import { LocksIncomplete, type Transaction } from '#database';
import { DomainError } from '#errors';
import type { Actor } from '#workspaces';
import type { DocumentType } from '../document/document-type.js';
import type { JsonText } from '#json';
import {
  checkReferencesCtes,
  matchesVersion,
  LOCK_REFERENCES,
  MAX_MODULE_DEPTH,
  referenceCte,
  SELECT_WORKSPACES_TO_LOCK,
} from './check-references.sql.js';
import {
  readReferences,
  readStoredReferences,
  TOO_MANY_MODULES,
  type ModuleReference,
} from './module-reference.js';

/** The references of a document that is about to be stored. */
export interface DocumentReferences {
  documentId: string;
  documentBytes: number;
  references: readonly ModuleReference[];
  /** If true, references to modules that do not exist, or that the caller cannot read, are allowed. */
  mayDangle?: boolean;
}

/** @throws DomainError `invalid` for a malformed reference. */
export const readNewReferences = async (
  documentId: string,
  content: JsonText,
): Promise<DocumentReferences> => ({
  documentId,
  documentBytes: content.byteLength,
  references: await readReferences(content),
});

/**
 * Reads the references of stored content that is stored again, for example as a copy. The references may dangle,
 * because a module may have been deleted since. Malformed references are skipped: content that predates module
 * references may contain them.
 * @throws DomainError `invalid` if there are too many references to check.
 */
export const readCopiedReferences = async (
  documentId: string,
  content: JsonText,
): Promise<DocumentReferences> => ({
  documentId,
  documentBytes: content.byteLength,
  references: await readStoredReferences(content),
  mayDangle: true,
});

/** Converts references to the JSON that `referenceCte` reads from its parameter. */
export const toJson = (documents: readonly DocumentReferences[]): string =>
  JSON.stringify(
    documents.flatMap(({ references, ...document }) =>
      references.map((reference) => ({ ...document, ...reference })),
    ),
  );

/**
 * Stores which modules the documents use. Pass the result to `rejectProblems`. Call this function in the transaction
 * of the change, after `lockReferences` and the statements that write the documents. The caller need not wait for the
 * results of these statements, so storing the references needs no additional round trip.
 * @param isNew whether the documents are new and therefore have no stored usages.
 */
export async function storeReferences(
  { query }: Transaction,
  type: DocumentType,
  actor: Actor,
  documents: readonly DocumentReferences[],
  { isNew, maxExpandedBytes }: { isNew: boolean; maxExpandedBytes: number },
): Promise<ProblemsRow | undefined> {
  const json = toJson(documents);
  const hasReferences = documents.some(({ references }) => references.length > 0);
  const levels = hasReferences && type.kind === 'module' ? groupByNesting(documents) : [];
  const [, , , checked] = await Promise.all([
    !isNew && query(DELETE_USAGES, [documents.map(({ documentId }) => documentId)]),
    hasReferences && query(insertUsages(type), [json]),
    Promise.all(levels.map((level) => query(INSERT_NESTED_REFERENCES, [toJson(level)]))),
    hasReferences &&
      query<ProblemsRow>(checkStatement(type), [json, actor.userId, maxExpandedBytes]),
  ]);
  return checked ? checked[0] : undefined;
}

/**
 * Groups modules so that each module is in a later group than the modules that it uses. Modules that use each other, or
 * that are nested too deeply, are in the last group; the check rejects them.
 */
function groupByNesting(documents: readonly DocumentReferences[]): DocumentReferences[][] {
  const levels: DocumentReferences[][] = [];
  let rest = [...documents];
  while (rest.length > 0) {
    const ids = new Set(rest.map(({ documentId }) => documentId));
    const isUser = ({ references }: DocumentReferences) =>
      references.some(({ moduleId }) => ids.has(moduleId));
    const level = levels.length === MAX_MODULE_DEPTH ? [] : rest.filter((each) => !isUser(each));
    levels.push(level.length === 0 ? rest : level);
    rest = level.length === 0 ? [] : rest.filter(isUser);
  }
  return levels;
}

/**
 * Keeps other transactions from storing references that could close a cycle with the references of `documents`. Only
 * references of modules can close a cycle. A transaction takes this lock before it locks or writes modules, so that no
 * two transactions deadlock.
 * @throws LocksIncomplete if another transaction changed which modules the documents use, while this one waited for the
 * locks.
 */
export const lockReferences = async (
  { query }: Pick<Transaction, 'query'>,
  { kind }: DocumentType,
  documents: readonly DocumentReferences[],
): Promise<void> => {
  const hasReferences = documents.some(({ references }) => references.length > 0);
  if (kind !== 'module' || !hasReferences) return;
  const json = toJson(documents);
  const [locked, needed] = await Promise.all(
    [LOCK_REFERENCES, SELECT_WORKSPACES_TO_LOCK].map((statement) =>
      query<{ id: string }>(statement, [json]),
    ),
  );
  const ids = new Set(locked?.map(({ id }) => id));
  if (!needed?.every(({ id }) => ids.has(id))) throw new LocksIncomplete();
};

/**
 * Copies the references of each module from its previous version to its new version. The caller passes only modules
 * whose contents have not changed.
 */
export const keepReferences = async (
  { query }: Pick<Transaction, 'query'>,
  { kind }: DocumentType,
  modules: readonly { id: string }[],
): Promise<void> => {
  if (kind !== 'module' || modules.length === 0) return;
  await query(
    `INSERT INTO module_version_references (module_id, version, modules, uses, expanded_bytes)
     SELECT module.id, module.version, modules, uses, expanded_bytes
     FROM unnest($1::uuid[]) AS kept (id)
     CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = kept.id LIMIT 1) module
     CROSS JOIN LATERAL (
       SELECT * FROM module_version_references
       WHERE module_id = module.id AND version = module.version - 1 LIMIT 1
     ) earlier`,
    [modules.map(({ id }) => id)],
  );
};

const DELETE_USAGES = 'DELETE FROM module_usages WHERE document_id = ANY ($1)';

const insertUsages = ({ kind }: DocumentType) =>
  `WITH ${referenceCte('$1')} ${insertUsagesFrom(kind, 'reference')}`;

/** @param source the table expression that contains the references. */
export const insertUsagesFrom = (kind: string, source: string): string =>
  `INSERT INTO module_usages (document_id, document_kind, module_id, pinned_version, occurrences)
   SELECT "documentId", '${kind}', "moduleId", coalesce(reference.version, 0), sum(occurrences)
   FROM ${source} GROUP BY 1, 2, 3, 4`;

const INSERT_NESTED_REFERENCES = `WITH ${referenceCte('$1')}
  INSERT INTO module_version_references (module_id, version, modules, uses, expanded_bytes)
  SELECT document.id, document.version, sum(1 + coalesce(nested.modules, 0)),
    jsonb_agg(DISTINCT jsonb_build_object(
      'moduleId', "moduleId", 'version', reference.version, 'asOf', "asOf"
    )),
    least(
      max("documentBytes") + sum(occurrences::bigint * coalesce(nested.expanded_bytes, used.content_bytes, 0)),
      2147483647
    )
  FROM reference
  CROSS JOIN LATERAL (SELECT id, version FROM documents WHERE id = "documentId" LIMIT 1) document
  LEFT JOIN LATERAL (
    SELECT version, content_bytes FROM document_versions
    WHERE ${matchesVersion('"moduleId"', 'reference.version')}
    ORDER BY version DESC LIMIT 1
  ) used ON true
  LEFT JOIN LATERAL (
    SELECT modules, expanded_bytes FROM module_version_references
    WHERE module_id = "moduleId" AND version = used.version LIMIT 1
  ) nested ON true
  GROUP BY document.id, document.version`;

interface Problem {
  kind: 'missing' | 'version' | 'place' | 'cycle' | 'depth' | 'count' | 'size';
  path: string | null;
  place: string | null;
}
export interface ProblemsRow {
  problems: Problem[] | null;
}

/** An SQL expression for the first problems as one JSON value, which `rejectProblems` expects. */
export const SELECT_PROBLEMS = `(
    SELECT json_agg(first_problem)
    FROM (SELECT * FROM problem ORDER BY rank, path LIMIT 20) first_problem
  ) AS problems`;

const checkStatement = ({ kind }: DocumentType): string =>
  `WITH RECURSIVE ${checkReferencesCtes('$1', '$2', '$3', kind === 'module')} SELECT ${SELECT_PROBLEMS}`;

/** @throws DomainError `invalid` with the first problems, if there are any. */
export function rejectProblems(row: ProblemsRow | undefined, maxExpandedBytes: number): void {
  const details = (row?.problems ?? []).map((problem) => {
    const path = problem.path ?? 'content';
    return { path, message: `${path} ${describe(problem, maxExpandedBytes)}` };
  });
  const [first] = details;
  if (first !== undefined) throw new DomainError('invalid', first.message, details);
}

function describe({ kind, place }: Problem, maxExpandedBytes: number): string {
  switch (kind) {
    case 'missing':
      return 'refers to a module that does not exist, or that you cannot read';
    case 'version':
      return 'refers to a version that the module does not have';
    case 'place':
      return `must refer to a module whose content is a ${place}`;
    case 'cycle':
      return 'refers to a module that uses this module';
    case 'depth':
      return `must not nest modules more than ${MAX_MODULE_DEPTH} deep`;
    case 'count':
      return TOO_MANY_MODULES;
    case 'size':
      return `must not be larger than ${maxExpandedBytes} bytes, including the contents of its modules`;
  }
}
