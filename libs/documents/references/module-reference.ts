import { parseTime } from '#database';
import { runInSlices } from '#time-slices';
import { DomainError, MAX_DETAILS, type ErrorDetail } from '#errors';
import type { JsonText } from '#json';
import { MAX_USED_MODULES } from './check-references.sql.js';
import {
  findReferences,
  shortenPath,
  stepsOf,
  type FoundReference,
  type Place,
} from './find-references.js';

/** The target of a reference. */
export interface ParsedReference {
  moduleId: string;
  /** The pinned version; null if the reference follows the latest version. */
  version: number | null;
  /** The time as of which a pinned module uses other modules; null for the time of the pinned version. */
  asOf: Date | null;
}

/** A reference of a document that is about to be stored. Equal references are merged. */
export interface ModuleReference extends ParsedReference {
  place: Place;
  /** How often the reference occurs in the document. */
  occurrences: number;
  /** The path of the first occurrence in the document. */
  path: string;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
// This many references take at most 0.1 ms.
export const REFERENCES_BETWEEN_CHECKPOINTS = 20;
const MAX_VERSION = 2_147_483_647;
export const TOO_MANY_MODULES = `must not use more than ${MAX_USED_MODULES} modules`;
// Restoring a version writes times from PostgreSQL into the content, and PostgreSQL's clock may be ahead of the clock
// of this process.
const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Parses the references of a document that is about to be stored.
 * @throws DomainError `invalid` if a reference is malformed, or if there are too many references.
 */
export const readReferences = async (document: JsonText): Promise<ModuleReference[]> =>
  runInSlices(collectReferences(document, false));

/**
 * Parses the references of stored content that is stored again, for example as a copy. Skips malformed references,
 * because content that predates module references may contain them.
 */
export const readStoredReferences = async (document: JsonText): Promise<ModuleReference[]> =>
  runInSlices(collectReferences(document, true));

function* collectReferences(
  document: JsonText,
  isStored: boolean,
): Generator<void, ModuleReference[]> {
  const references = new Map<string, ModuleReference>();
  const problems: ErrorDetail[] = [];
  const latestTime = Date.now() + MAX_CLOCK_SKEW_MS;
  for (const [index, each] of (yield* findReferences(document)).entries()) {
    if (index % REFERENCES_BETWEEN_CHECKPOINTS === 0) yield;
    const parsed = parseReference(each);
    const problem = typeof parsed === 'string' ? parsed : findFutureTime(parsed, latestTime);
    if (typeof parsed === 'string' || (problem !== undefined && !isStored)) {
      if (isStored) continue;
      const path = pathOf(each);
      problems.push({ path, message: `${path} ${problem}` });
      if (problems.length === MAX_DETAILS) break;
      continue;
    }
    const { place } = each;
    const key = JSON.stringify([parsed, place]);
    const known = references.get(key);
    if (known !== undefined) {
      known.occurrences++;
      continue;
    }
    if (references.size === MAX_USED_MODULES) {
      throw DomainError.invalid('content', `content ${TOO_MANY_MODULES}`);
    }
    references.set(key, { ...parsed, place, occurrences: 1, path: pathOf(each) });
  }
  const [first] = problems;
  if (first !== undefined) throw new DomainError('invalid', first.message, problems);
  return [...references.values()];
}

const findFutureTime = ({ asOf }: ParsedReference, latestTime: number): string | undefined =>
  asOf !== null && asOf.getTime() > latestTime ? 'must not have an asOf in the future' : undefined;

const pathOf = ({ path }: FoundReference): string =>
  shortenPath(['content', ...stepsOf(path)].join('.'));

/**
 * Returns the parsed reference. If the reference is malformed, returns the violated rule as the end of an error
 * message.
 */
function parseReference(reference: FoundReference): ParsedReference | string {
  const { repeatsMember, version, asOf } = reference;
  const moduleId = stringOf(reference.moduleId)?.toLowerCase() ?? '';
  if (repeatsMember) return 'must not have type, moduleId, version or asOf more than once';
  if (!UUID.test(moduleId)) return 'must have the id of a module in moduleId';
  if (version !== undefined && !isVersion(version)) {
    return 'must have a version number in version; to follow the latest version, omit version';
  }
  if (asOf === undefined) {
    return { moduleId, version: version === undefined ? null : Number(version), asOf: null };
  }
  if (version === undefined) return 'must have a version if it has asOf';
  const time = parseTime(stringOf(asOf));
  return time === undefined
    ? 'must have a time such as 2026-11-21T09:30:00Z in asOf'
    : { moduleId, version: Number(version), asOf: time };
}

export interface StoredReference extends ParsedReference {
  found: FoundReference;
}

/**
 * Finds the references of a stored document. Skips malformed references: in content that predates module references,
 * such objects serve another purpose.
 */
export function* findStoredReferences(document: JsonText): Generator<void, StoredReference[]> {
  const references: StoredReference[] = [];
  for (const [index, found] of (yield* findReferences(document)).entries()) {
    if (index % REFERENCES_BETWEEN_CHECKPOINTS === 0) yield;
    const parsed = parseReference(found);
    if (typeof parsed !== 'string') references.push({ ...parsed, found });
  }
  return references;
}

const stringOf = (json: string): string | undefined =>
  json.startsWith('"') ? (JSON.parse(json) as string) : undefined;

const isVersion = (json: string): boolean => {
  const version = Number(json);
  return Number.isInteger(version) && version >= 1 && version <= MAX_VERSION;
};
