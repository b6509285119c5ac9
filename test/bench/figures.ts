/** A row of the table. Figures are medians over the rounds. */
export interface Row {
  number: string;
  what: string;
  baseline: string;
  galley: number;
  /**
   * The figure of the baseline. A row without a baseline compares Galley's figure itself with the target.
   */
  against?: number;
  unit: string;
  /** Galley divided by its baseline, round by round. */
  ratio: Spread;
  target: { atLeast: number } | { atMost: number };
  /** The part of the target that the best round of the quick form must reach, if not that of all rows. */
  floor?: number;
  /** The quick form fails if the best round is above. Without it, the best round must reach a part of the target. */
  mostOfBest?: number;
}

/** A row that could not be measured on this machine, and why. */
export interface SkippedRow {
  number: string;
  skipReason: string;
}

export interface Spread {
  median: number;
  lowest: number;
  highest: number;
}

export function spread(figures: readonly number[]): Spread {
  return { median: median(figures), lowest: Math.min(...figures), highest: Math.max(...figures) };
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

type Side = () => Promise<number>;

/**
 * Measures the sides alternately, round after round, so that other load on the machine affects all sides
 * alike. Each round begins with another side. The first round only warms up.
 */
export async function interleave<Name extends string>(
  rounds: number,
  sides: { [Each in Name]: Side },
): Promise<{ [Each in Name]: number[] }> {
  const all = Object.entries<Side>(sides).map(([name, measure]) => ({
    name,
    measure,
    figures: [] as number[],
  }));
  for (let round = 0; round <= rounds; round++) {
    const first = round % all.length;
    for (const { measure, figures } of [...all.slice(first), ...all.slice(0, first)]) {
      const figure = await measure();
      if (round > 0) figures.push(figure);
    }
  }
  return Object.fromEntries(all.map(({ name, figures }) => [name, figures])) as {
    [Each in Name]: number[];
  };
}

/** The figures of two sides as the columns of a row. */
export function compare(galley: readonly number[], against: readonly number[]) {
  return {
    galley: median(galley),
    against: median(against),
    ratio: spread(galley.map((figure, round) => figure / (against[round] ?? NaN))),
  };
}

export const targetOf = ({ target }: Row): number =>
  'atLeast' in target ? target.atLeast : target.atMost;

/**
 * How far a ratio reaches the target of its row: 1 means exactly reached, and a higher number is better.
 */
export function reached(row: Row, ratio = row.ratio.median): number {
  if ('atLeast' in row.target) return ratio / row.target.atLeast;
  // A difference of two sides may be negative.
  return ratio <= 0 ? Infinity : row.target.atMost / ratio;
}

/** How far the best round reaches the target. */
export const reachedByBest = (row: Row): number =>
  Math.max(reached(row, row.ratio.lowest), reached(row, row.ratio.highest));
