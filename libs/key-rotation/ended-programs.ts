interface Program {
  id: string;
  /** How often the program has reported that it runs. */
  beats: number;
}

/**
 * Finds programs that have ended without deregistering: their number of reports has not changed for `maxMissedChecks` checks.
 * No clock is used, so a wrong clock of a machine or of a new primary does not make a running program look ended. An
 * outage of PostgreSQL does not either, because checks that fail do not count.
 */
export class EndedPrograms {
  private seen = new Map<string, { beats: number; missedChecks: number }>();

  constructor(private readonly maxMissedChecks: number) {}

  /** @param programs the programs that one check has found. Each program has time for a report between two checks. */
  find(programs: readonly Program[]): Program[] {
    const previous = this.seen;
    this.seen = new Map(
      programs.map(({ id, beats }) => {
        const last = previous.get(id);
        return [id, { beats, missedChecks: last?.beats === beats ? last.missedChecks + 1 : 0 }];
      }),
    );
    return programs.filter(
      ({ id }) => (this.seen.get(id)?.missedChecks ?? 0) >= this.maxMissedChecks,
    );
  }
}
