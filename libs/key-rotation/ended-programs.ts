interface Program {
  id: string;
  /** How often the program has reported that it runs. */
  beats: number;
}

/**
 * Finds programs that have ended without deregistering: their number of reports has not changed for `maxLooks` looks.
 * No clock is used, so a wrong clock of a machine or of a new primary does not make a running program look ended. An
 * outage of PostgreSQL does not either, because looks that fail do not count.
 */
export class EndedPrograms {
  private seen = new Map<string, { beats: number; looks: number }>();

  constructor(private readonly maxLooks: number) {}

  /** @param programs the programs that one look has found. Each program has time for a report between two looks. */
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
