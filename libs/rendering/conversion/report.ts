/**
 * What happened to a part that Galley cannot import as it is: the part is now HTML of your own, it looks different, or
 * it is not in the document.
 */
export const importOutcomes = ['kept-as-html', 'approximated', 'lost'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

export interface ReportEntry {
  outcome: ImportOutcome;
  /** The part in the imported content: element names such as `mj-section[2]`, or a JSON Pointer. */
  source: string;
  /** A JSON Pointer to the node of the document that the part became; null if the part became no node. */
  path: string | null;
  message: string;
}

export interface ImportReport {
  /** How many nodes of each type the document has. */
  understood: Record<string, number>;
  entries: ReportEntry[];
  /** How many entries are left out, because the report would be too long. */
  omitted: number;
}

// A content from another program may have thousands of parts that Galley cannot draw.
const MAX_ENTRIES = 200;
const MAX_SOURCE_LENGTH = 500;
const MAX_MESSAGE_LENGTH = 500;

/** Collects what an import did with the parts of a content. */
export class Report {
  private readonly entries: ReportEntry[] = [];
  private readonly counts = new Map<string, number>();
  private omitted = 0;

  add(outcome: ImportOutcome, source: string, message: string, path: string | null = null): void {
    if (this.entries.length >= MAX_ENTRIES) {
      this.omitted++;
      return;
    }
    this.entries.push({
      outcome,
      source: source.slice(0, MAX_SOURCE_LENGTH),
      path,
      message: message.slice(0, MAX_MESSAGE_LENGTH),
    });
  }

  /** Counts a node that the document has now. */
  count(type: string): void {
    this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
  }

  get result(): ImportReport {
    const understood = Object.fromEntries(
      [...this.counts].sort(([one], [other]) => (one < other ? -1 : 1)),
    );
    return { understood, entries: this.entries, omitted: this.omitted };
  }
}
