import type { Query } from '#database';
import { runInSlices } from '#time-slices';
import { JsonText } from '#json';
import { MAX_MODULE_DEPTH, MAX_USED_MODULES } from './check-references.sql.js';
import { shortenPath, stepsOf, type Path, type Place } from './find-references.js';
import { loadModules, type LoadedModule, type WantedModule } from './load-modules.js';
import {
  findStoredReferences,
  REFERENCES_BETWEEN_CHECKPOINTS,
  type StoredReference,
} from './module-reference.js';

/** The reasons why a reference is replaced with an empty node. */
export const expandProblems = ['not_found', 'wrong_kind', 'too_deep', 'too_large'] as const;
export type ExpandProblem = (typeof expandProblems)[number];

export interface ExpandWarning {
  /** A JSON Pointer (RFC 6901) to the empty node in the document. Very long pointers are shortened. */
  path: string;
  moduleId: string;
  problem: ExpandProblem;
}

export interface ExpandedDocument {
  content: JsonText;
  warnings: ExpandWarning[];
}

interface Expandable {
  content: JsonText;
  /**
   * References without a version resolve to the module's version at this time, or to its latest version if `frozenAt`
   * is null.
   */
  frozenAt: Date | null;
}

interface ExpandOptions {
  query: Query;
  userId: string;
  /** The maximum size of one result, in bytes. */
  maxBytes: number;
  /** The maximum total size of the results, in bytes. The first result is always returned. */
  maxTotalBytes: number;
}

/** A module with its own references. */
interface Source {
  module: LoadedModule & { content: string };
  bytes: number;
  references: StoredReference[];
}

/**
 * Modules by `keyOf`. The value is null if the module does not exist or the caller cannot read it. A module that would
 * exceed the size limit has no entry.
 */
type Sources = Map<string, Source | null>;

/** The references of one document or module, which are resolved as of `frozenAt`. */
interface Level {
  references: readonly StoredReference[];
  frozenAt: Date | null;
}

// More warnings would not help users, and the response must stay small.
const MAX_WARNINGS = 100;

/**
 * Replaces references with the contents of the referenced modules. Each of these contents ends with the member
 * `$module`, which identifies the module. The members `condition`, `repeat` and `visibility` of a reference apply to
 * the inserted content. A reference that cannot be resolved becomes an empty node with a warning.
 * @returns the expanded documents. The list ends before the document that would exceed the total size or the number of
 * modules, but always contains the first document.
 */
export async function expandModules(
  documents: readonly Expandable[],
  options: ExpandOptions,
): Promise<ExpandedDocument[]> {
  const firstLevels = await Promise.all(
    documents.map(async ({ content, frozenAt }) => ({
      references: await runInSlices(findStoredReferences(content)),
      frozenAt,
    })),
  );
  const cache: Sources = new Map();
  // One SQL statement loads the modules that the documents use directly. These are usually all modules of the page.
  const wanted = await runInSlices(selectWanted(firstLevels, cache, MAX_USED_MODULES));
  await load(wanted, cache, options.maxTotalBytes, options);
  const expanded: ExpandedDocument[] = [];
  const usedKeys = new Set<string>();
  let bytes = 0;
  for (const [index, { content }] of documents.entries()) {
    const firstLevel = firstLevels[index] as Level;
    const sources = await loadSources(firstLevel, cache, options);
    const expansion = new Expansion(sources, options.maxBytes - content.byteLength);
    const result = new JsonText(await runInSlices(expansion.render(content.text, firstLevel)));
    bytes += result.byteLength;
    for (const key of sources.keys()) usedKeys.add(key);
    const isFull = bytes > options.maxTotalBytes || usedKeys.size > MAX_USED_MODULES;
    if (index > 0 && isFull) break;
    expanded.push({ content: result, warnings: expansion.warnings });
  }
  return expanded;
}

/** The key of the module version that a reference resolves to, in a document that uses modules as of `frozenAt`. */
const keyOf = ({ moduleId, version }: StoredReference, frozenAt: Date | null): string =>
  `${moduleId} ${version ?? frozenAt?.getTime() ?? ''}`;

/**
 * The `frozenAt` of a referenced module. For a pinned module, this is `asOf` or, if `asOf` is missing, the time of the
 * pinned version. A module without a pin inherits `frozenAt`.
 */
const frozenAtOf = (
  { version, asOf }: StoredReference,
  { createdAt }: LoadedModule,
  frozenAt: Date | null,
): Date | null => (version === null ? frozenAt : (asOf ?? createdAt));

/** Selects up to `limit` referenced modules that are not in `sources`. */
function* selectWanted(
  levels: Iterable<Level>,
  sources: Sources,
  limit: number,
): Generator<void, Map<string, WantedModule>> {
  const wanted = new Map<string, WantedModule>();
  for (const { references, frozenAt } of levels) {
    for (const [index, reference] of references.entries()) {
      if (wanted.size >= limit) return wanted;
      if (index % REFERENCES_BETWEEN_CHECKPOINTS === 0) yield;
      const { moduleId, version } = reference;
      const key = keyOf(reference, frozenAt);
      if (sources.has(key)) continue;
      wanted.set(key, { moduleId, version, frozenAt: version === null ? frozenAt : null });
    }
  }
  return wanted;
}

/** Adds the wanted modules to the cache, except those that no longer fit into `maxBytes`. */
async function load(
  wanted: ReadonlyMap<string, WantedModule>,
  cache: Sources,
  maxBytes: number,
  { query, userId }: ExpandOptions,
): Promise<void> {
  const missing = [...wanted].filter(([key]) => !cache.has(key));
  if (missing.length === 0) return;
  const modules = missing.map(([, module]) => module);
  const loaded = await loadModules(query, userId, modules, maxBytes);
  for (const [index, [key]] of missing.entries()) {
    const module = loaded[index];
    if (module === undefined) {
      cache.set(key, null);
    } else if (module.content !== null) {
      const content = new JsonText(module.content);
      cache.set(key, {
        module: { ...module, content: module.content },
        bytes: content.byteLength,
        references: await runInSlices(findStoredReferences(content)),
      });
    }
  }
}

/** Loads the modules that a document uses, one nesting level at a time. */
async function loadSources(
  firstLevel: Level,
  cache: Sources,
  options: ExpandOptions,
): Promise<Sources> {
  const sources: Sources = new Map();
  let remainingBytes = options.maxBytes;
  let levels = [firstLevel];
  for (let depth = 1; depth <= MAX_MODULE_DEPTH && levels.length > 0; depth++) {
    const room = MAX_USED_MODULES - sources.size;
    const wanted = await runInSlices(selectWanted(levels, sources, room));
    await load(wanted, cache, remainingBytes, options);
    for (const key of wanted.keys()) {
      const source = cache.get(key);
      if (source !== undefined) sources.set(key, source);
    }
    const next = await runInSlices(selectNextLevels(levels, sources, remainingBytes));
    levels = next.levels;
    remainingBytes -= next.bytes;
  }
  return sources;
}

/**
 * Returns the references inside the modules that these levels refer to, once for each module version and time. Skips
 * modules that no longer fit into the document, because they may contain very many references.
 */
function* selectNextLevels(
  levels: readonly Level[],
  sources: Sources,
  maxBytes: number,
): Generator<void, { levels: Level[]; bytes: number }> {
  const next = new Map<string, Level>();
  let bytes = 0;
  for (const { references, frozenAt } of levels) {
    for (const [index, reference] of references.entries()) {
      if (index % REFERENCES_BETWEEN_CHECKPOINTS === 0) yield;
      const key = keyOf(reference, frozenAt);
      const source = sources.get(key);
      if (!source) continue;
      const nestedTime = frozenAtOf(reference, source.module, frozenAt);
      const nextKey = `${key} ${nestedTime?.getTime() ?? ''}`;
      if (next.has(nextKey) || bytes + source.bytes > maxBytes) continue;
      bytes += source.bytes;
      next.set(nextKey, { references: source.references, frozenAt: nestedTime });
    }
  }
  return { levels: [...next.values()], bytes };
}

/** Renders one document with the contents of its modules. */
class Expansion {
  readonly warnings: ExpandWarning[] = [];
  private count = 0;

  constructor(
    private readonly sources: Sources,
    private remainingBytes: number,
  ) {}

  /** @param paths the way to `text`: the path to a reference, then a path in the content of its module, and so on. */
  *render(
    text: string,
    { references, frozenAt }: Level,
    paths: readonly Path[] = [],
  ): Generator<void, string> {
    let rendered = '';
    let offset = 0;
    for (const reference of references) {
      if (++this.count % REFERENCES_BETWEEN_CHECKPOINTS === 0) yield;
      const { start, end, path } = reference.found;
      const node = yield* this.renderNode(reference, frozenAt, [...paths, path]);
      rendered += text.slice(offset, start) + node;
      offset = end;
    }
    return rendered + text.slice(offset);
  }

  private *renderNode(
    reference: StoredReference,
    frozenAt: Date | null,
    paths: readonly Path[],
  ): Generator<void, string> {
    const empty = (problem: ExpandProblem) => this.renderEmptyNode(reference, paths, problem);
    const source = this.sources.get(keyOf(reference, frozenAt));
    if (paths.length > MAX_MODULE_DEPTH) return empty('too_deep');
    if (source === null) return empty('not_found');
    if (source === undefined) return empty('too_large');
    const { module, bytes, references } = source;
    const { id, name, version, content } = module;
    const { place, start, end, display } = reference.found;
    if (placeOf(module) !== place) return empty('wrong_kind');
    const mark = JSON.stringify({ id, name, version, pinned: reference.version !== null });
    const members = display.concat(`"$module":${mark}`).join(',');
    const addedBytes = bytes + Buffer.byteLength(members) + 2 - (end - start);
    if (addedBytes > this.remainingBytes) return empty('too_large');
    this.remainingBytes -= addedBytes;
    const level = { references, frozenAt: frozenAtOf(reference, module, frozenAt) };
    const text = yield* this.render(content, level, paths);
    // The content may already have members with these names. Parsers use the last of several members with the same
    // name, so the new members go to the end.
    const comma = /^\s*\{\s*\}/.test(text) ? '' : ',';
    return `${text.slice(0, text.lastIndexOf('}'))}${comma}${members}}`;
  }

  private renderEmptyNode(
    { moduleId, found }: StoredReference,
    paths: readonly Path[],
    problem: ExpandProblem,
  ): string {
    if (this.warnings.length < MAX_WARNINGS) {
      const pointer = paths.flatMap(stepsOf).map((step) => `/${escapePointer(step)}`);
      this.warnings.push({ path: shortenPath(pointer.join('')), moduleId, problem });
    }
    const node = JSON.stringify({ $module: { id: moduleId, problem }, type: found.place });
    this.remainingBytes -= node.length - (found.end - found.start);
    return node;
  }
}

const placeOf = ({ type }: LoadedModule): Place =>
  type === 'stripe' || type === 'container' ? type : 'block';

const escapePointer = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');
