interface Program {
  id: string;
  /** The number of times that the program has reported that it is running. */
  beats: number;
}

/**
 * Finds programs that have ended without deregistering: their number of reports has not changed for `maxMissedChecks`
 * checks. No clock is involved, so clock skew on a machine or a new primary never makes a running program look dead.
 * Neither does a PostgreSQL outage, because failed checks do not count.
 */
export class EndedPrograms {
  private seen = new Map<string, { beats: number; missedChecks: number }>();

  constructor(private readonly maxMissedChecks: number) {}

  /** @param programs the programs that this check has found. Each program has time to report between two checks. */
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
