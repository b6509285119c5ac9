import { DomainError } from '#errors';

/*
 * The costs of filling data into a document. A step is 0.1 µs of CPU time. The figures were measured on a two-core
 * machine while other programs were running, with the slowest values for each operation.
 */

/** The maximum cost of one rendering: 30 ms of CPU time. */
export const MAX_STEPS = 300_000;
// 0.1 ms, as `runInSlices` requires.
const STEPS_BETWEEN_CHECKPOINTS = 1_000;

/** A merge tag, a node or a list item, excluding its contents: 0.2 µs. */
export const PART = 2;
/** A `not`, `and`, `or`, comparison or constant: 10 to 20 ns, or up to 80 ns before the code is optimised. */
export const OPERATOR = 0.8;
/** A name in a path, or a scope that is searched for the path's first name: 20 to 30 ns. */
export const NAME = 0.3;
/** A filter: up to 0.5 µs. */
export const FILTER = 5;
/** `Intl` formats a number in 0.9 µs, and a date in 1.4 µs. */
export const FORMAT = 15;
/** `Intl` creates a number formatter in 14 µs, and a date formatter in 47 µs. */
export const NEW_FORMATTER = 500;

// Each of the following constants is the number of characters that are processed in one step.
/** Comparing texts takes up to 1 ns per character. */
export const COMPARED = 100;
/** Changing the case of letters takes up to 13 ns per character, and writing digits takes 15 ns. */
export const FILTERED = 6;
/** Encoding values for a URL takes up to 51 ns per character. */
export const ENCODED = 2;
/** Escaping values takes up to 13 ns per character of the result. */
export const ESCAPED = 8;
/** Joining the result and writing it as JSON takes 2 to 6 ns per character, and at worst 12. Counted as 2.5 ns. */
export const WRITTEN = 40;
/** Breaking lines of plain text takes about 5 ns per character, and at worst 47. Counted as 25 ns. */
export const LAID_OUT = 4;

/** Counts the steps of one rendering. */
export class Cost {
  private steps = 0;
  private checkpoint = STEPS_BETWEEN_CHECKPOINTS;

  /**
   * @param isBounded whether `MAX_STEPS` applies; false without data, because the cost then depends only on the
   * document.
   */
  constructor(private readonly isBounded: boolean) {}

  /** @throws DomainError `invalid` if the data makes the rendering too expensive. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.isBounded && this.steps > MAX_STEPS) {
      throw dataTooExpensive(
        'there are too many merge tags, conditions and repetitions to evaluate, or the values are too long',
      );
    }
  }

  /** Returns whether it is time to yield and, if so, sets the next checkpoint. */
  passCheckpoint(): boolean {
    if (this.steps < this.checkpoint) return false;
    this.checkpoint = this.steps + STEPS_BETWEEN_CHECKPOINTS;
    return true;
  }
}

export const dataTooExpensive = (reason: string): DomainError =>
  DomainError.invalid('data', `The document cannot be rendered with this data: ${reason}.`);
