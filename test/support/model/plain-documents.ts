/**
 * A plain implementation of what Galley stores and shows of references, for comparison with Galley. It keeps all
 * versions in memory and knows no SQL, no time limit and no cache.
 */

export interface Reference {
  type: 'module';
  moduleId: string;
  version?: number;
  asOf?: string;
}
export type Node = Reference | { type: string; text: string };
export interface Content {
  type: string;
  blocks: Node[];
}

export interface PlainVersion {
  id: string;
  version: number;
  name: string;
  content: Content;
  createdAt: Date;
}

export interface PlainDocument {
  id: string;
  kind: 'template' | 'module';
  workspaceId: string;
  name: string;
  version: number;
  isInTrash: boolean;
}

export interface PlainUsage {
  documentId: string;
  moduleId: string;
  /** 0 if the references follow the latest version. */
  pinnedVersion: number;
  occurrences: number;
}

// As in docs/use/reuse.md.
const MAX_DEPTH = 5;

const isReference = (node: Node): node is Reference => 'moduleId' in node;

export const referencesIn = ({ blocks }: Content): Reference[] => blocks.filter(isReference);

/** The usages that a scan of a document finds, in the order of their modules and versions. */
export function scanUsages({ id, content }: PlainVersion): PlainUsage[] {
  const usages = new Map<string, PlainUsage>();
  for (const { moduleId, version: pinnedVersion = 0 } of referencesIn(content)) {
    const key = `${moduleId} ${pinnedVersion}`;
    const known = usages.get(key) ?? { documentId: id, moduleId, pinnedVersion, occurrences: 0 };
    usages.set(key, { ...known, occurrences: known.occurrences + 1 });
  }
  return [...usages.values()].sort(
    (one, other) =>
      one.moduleId.localeCompare(other.moduleId) || one.pinnedVersion - other.pinnedVersion,
  );
}

export class PlainDocuments {
  private readonly versions: ReadonlyMap<string, readonly PlainVersion[]>;
  private readonly documents: ReadonlyMap<string, PlainDocument>;

  /** @param versions of the documents, and of documents that are not there any more. */
  constructor(documents: readonly PlainDocument[], versions: readonly PlainVersion[]) {
    this.documents = new Map(documents.map((document) => [document.id, document]));
    this.versions = Map.groupBy(versions, ({ id }) => id);
  }

  /** All documents, those in the trash included. */
  get all(): PlainDocument[] {
    return [...this.documents.values()];
  }

  get live(): PlainDocument[] {
    return this.all.filter(({ isInTrash }) => !isInTrash);
  }

  /** The first version comes first. */
  versionsOf(id: string): readonly PlainVersion[] {
    return (this.versions.get(id) ?? []).toSorted((one, other) => one.version - other.version);
  }

  latestOf(id: string): PlainVersion {
    const latest = this.versionsOf(id).at(-1);
    if (latest === undefined) throw new Error(`The document ${id} has no version.`);
    return latest;
  }

  /**
   * Puts the documents of modules in the places of references, as the API does.
   * @param time the modules are those of this time; null for the latest ones.
   */
  expand(content: Content, time: Date | null, depth = 1): object {
    const blocks = content.blocks.map((node) =>
      isReference(node) ? this.expandReference(node, time, depth) : node,
    );
    return { ...content, blocks };
  }

  /** The document of a version, with its references pinned to the modules of the time of the version. */
  pin({ content, createdAt }: PlainVersion): Content {
    const blocks = content.blocks.map((node) => {
      if (!isReference(node) || node.version !== undefined) return node;
      const found = this.resolve(node, createdAt);
      return found ? { ...node, version: found.version, asOf: createdAt.toISOString() } : node;
    });
    return { ...content, blocks };
  }

  private expandReference(reference: Reference, time: Date | null, depth: number): object {
    const { moduleId: id, version: pinned } = reference;
    const empty = (problem: string) => ({ type: 'block', $module: { id, problem } });
    if (depth > MAX_DEPTH) return empty('too_deep');
    const isLive = this.documents.get(id)?.isInTrash === false;
    const found = isLive ? this.resolve(reference, time) : undefined;
    if (found === undefined) return empty('not_found');
    if (found.content.type === 'stripe') return empty('wrong_kind');
    const { name, version, content } = found;
    return {
      ...this.expand(content, timeInside(reference, found, time), depth + 1),
      $module: { id, name, version, pinned: pinned !== undefined },
    };
  }

  /** Whether the expansion of a module would never end, if all modules in the trash were restored. */
  hasCycle(id: string): boolean {
    const finished = new Set<string>();
    const visit = (found: PlainVersion, time: Date | null, path: readonly string[]): boolean => {
      const node = `${found.id} ${found.version} ${time?.getTime()}`;
      if (path.includes(node)) return true;
      if (finished.has(node)) return false;
      finished.add(node);
      return referencesIn(found.content).some((reference) => {
        const used = this.resolve(reference, time);
        if (used === undefined) return false;
        return visit(used, timeInside(reference, used, time), [...path, node]);
      });
    };
    return visit(this.latestOf(id), null, []);
  }

  /** The usages of a module by live documents, directly or through other modules. */
  usagesOf(moduleId: string): PlainUsage[] {
    const usages = this.live.flatMap(({ id }) => scanUsages(this.latestOf(id)));
    const isModule = (id: string) => this.documents.get(id)?.kind === 'module';
    const used = new Set([moduleId]);
    for (let depth = 1; depth <= MAX_DEPTH; depth++) {
      const users = usages.filter(
        (usage) => used.has(usage.moduleId) && isModule(usage.documentId),
      );
      for (const { documentId } of users) used.add(documentId);
    }
    return usages.filter((usage) => used.has(usage.moduleId));
  }

  private resolve({ moduleId, version: pinned }: Reference, time: Date | null) {
    return this.versionsOf(moduleId).findLast(({ version, createdAt }) =>
      pinned === undefined ? time === null || createdAt <= time : version === pinned,
    );
  }
}

/** The time whose modules a module uses, in a document whose modules are those of `time`. */
function timeInside(
  { version, asOf }: Reference,
  { createdAt }: PlainVersion,
  time: Date | null,
): Date | null {
  if (version === undefined) return time;
  return asOf === undefined ? createdAt : new Date(asOf);
}
