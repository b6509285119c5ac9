import { DomainError } from '#errors';

/*
 * Prices of putting data into a document. A step is 0.1 µs of processor time. The figures were measured on a
 * machine with two cores while other programs ran, with the values that take longest for each operation.
 */

/** The most that one rendering may cost: 30 ms of processor time. */
export const MAX_STEPS = 300_000;
// 0.1 ms, as `runInSlices` asks for.
const STEPS_BETWEEN_CHECKPOINTS = 1_000;

/** A merge tag, a node or an item of a list, apart from what is in it: 0.2 µs. */
export const PART = 2;
/** `not`, `and`, `or`, or a comparison or constant: 10 to 20 ns, and up to 80 ns before the code is optimised. */
export const OPERATOR = 0.8;
/** A name of a path, or a repetition that is searched for the name: 20 to 30 ns. */
export const NAME = 0.3;
/** A filter: up to 0.5 µs. */
export const FILTER = 5;
/** `Intl` writes a number in 0.9 µs, and a date in 1.4 µs. */
export const FORMAT = 15;
/** `Intl` makes a formatter of numbers in 14 µs, and one of dates in 47 µs. */
export const NEW_FORMATTER = 500;

// The following figures say how many characters take one step.
/** Texts are compared at up to 1 ns for each character. */
export const COMPARED = 100;
/** Letters are changed at up to 13 ns for each character, and digits are written at 15 ns. */
export const FILTERED = 6;
/** Values are encoded for an address at up to 51 ns for each character. */
export const ENCODED = 2;
/** Values are escaped at up to 13 ns for each character of the result. */
export const ESCAPED = 8;
/** The result is joined and written as JSON at 4 to 12 ns for each character, and usually at half of that. */
export const WRITTEN = 40;
/** Lines of plain text are broken at up to 47 ns for each character, and usually at a tenth of that. */
export const LAID_OUT = 4;

/** Counts the steps of one rendering. */
export class Cost {
  private steps = 0;
  private checkpoint = STEPS_BETWEEN_CHECKPOINTS;

  /** @param isBounded false if the document alone decides what is done. */
  constructor(private readonly isBounded: boolean) {}

  /** @throws DomainError `invalid` if the data makes the rendering cost too much. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.isBounded && this.steps > MAX_STEPS) {
      throw dataTooExpensive(
        'it has too many merge tags, conditions and repetitions to fill, or values that are too long',
      );
    }
  }

  /** Whether it is time to yield. If so, the next checkpoint moves on. */
  passCheckpoint(): boolean {
    if (this.steps < this.checkpoint) return false;
    this.checkpoint = this.steps + STEPS_BETWEEN_CHECKPOINTS;
    return true;
  }
}

export const dataTooExpensive = (reason: string): DomainError =>
  DomainError.invalid('data', `The document cannot be rendered with this data: ${reason}.`);
