import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';

// Anybody may ask, as often as they like; so they ask together, and an answer holds for a moment.
const KEPT_MS = 1_000;
// Load balancers do not wait much longer themselves.
const PATIENCE_MS = 3_000;

/** Something that a program needs for its work. */
export interface Check {
  /** Its name, as a sentence begins: "The database". */
  what: string;
  /** Gives what is wrong with it, in a sentence without secrets; undefined if it is well. */
  problem: () => Promise<string | undefined>;
}

/** Tells whether a program can do its work, and if not, why. */
export class Readiness {
  private readonly logger = new Logger(Readiness.name);
  private known: Promise<string | undefined> | undefined;
  private lastProblem: string | undefined;

  /** @param checks in the order in which they depend on each other: the first problem counts. */
  constructor(private readonly checks: readonly Check[]) {}

  problem(): Promise<string | undefined> {
    this.known ??= this.look().finally(() => {
      setTimeout(() => (this.known = undefined), KEPT_MS).unref();
    });
    return this.known;
  }

  private async look(): Promise<string | undefined> {
    let found: string | undefined;
    for (const check of this.checks) {
      found = await this.problemOf(check);
      if (found !== undefined) break;
    }
    if (found !== this.lastProblem) {
      if (found === undefined) this.logger.log({ stage: 'readiness' }, 'Ready again.');
      else this.logger.error({ stage: 'readiness', problem: found }, 'Not ready.');
    }
    this.lastProblem = found;
    return found;
  }

  private async problemOf({ what, problem }: Check): Promise<string | undefined> {
    const late = new AbortController();
    const silence = `${what} does not answer.`;
    try {
      return await Promise.race([
        problem(),
        delay(PATIENCE_MS, silence, { ref: false, signal: late.signal }),
      ]);
    } catch (error) {
      if (this.lastProblem !== silence) this.logger.error({ err: error, stage: 'readiness' });
      return silence;
    } finally {
      late.abort();
    }
  }
}
