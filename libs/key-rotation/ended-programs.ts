interface Program {
  id: string;
  /** How often the program has reported that it runs. */
  beats: number;
}

/**
 * Finds programs that have ended without deregistering: they have not reported for a number of looks. No clock takes
 * part, so neither the clock of a machine that differs nor that of a new primary makes a program look ended. Looks
 * that fail do not count, so an outage of PostgreSQL does not either.
 */
export class EndedPrograms {
  private seen = new Map<string, { beats: number; looks: number }>();

  constructor(private readonly maxLooks: number) {}

  /** @param programs what one look has found. A look follows the one before after the time of a report. */
  find(programs: readonly Program[]): Program[] {
    const previous = this.seen;
    this.seen = new Map(
      programs.map(({ id, beats }) => {
        const last = previous.get(id);
        return [id, { beats, looks: last?.beats === beats ? last.looks + 1 : 0 }];
      }),
    );
    return programs.filter(({ id }) => (this.seen.get(id)?.looks ?? 0) >= this.maxLooks);
  }
}
