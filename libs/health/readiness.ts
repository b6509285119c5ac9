import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';

// The check is public, and anyone may call it as often as they like. So concurrent calls share one run, and a result is
// cached for a second.
const CACHE_MS = 1_000;
// Load balancers do not wait much longer than this for a response.
const CHECK_TIMEOUT_MS = 3_000;

/** A dependency without which a program cannot do its work. */
interface ReadinessCheck {
  /** The name of the dependency, as the beginning of a sentence: "The database". */
  name: string;
  /** Returns what is wrong, in a sentence without secrets; undefined if nothing is wrong. */
  findProblem: () => Promise<string | undefined>;
}

/** Decides whether a program can do its work, and if not, why. */
export class Readiness {
  private readonly logger = new Logger(Readiness.name);
  private cached: Promise<string | undefined> | undefined;
  private lastProblem: string | undefined;
  private wasReady = false;

  /**
   * @param checks ordered so that each check depends only on earlier ones. Only the first problem is reported, because
   * it may be the cause of later ones.
   */
  constructor(private readonly checks: readonly ReadinessCheck[]) {}

  findProblem(): Promise<string | undefined> {
    this.cached ??= this.runChecks().finally(() => {
      setTimeout(() => (this.cached = undefined), CACHE_MS).unref();
    });
    return this.cached;
  }

  private async runChecks(): Promise<string | undefined> {
    let problem: string | undefined;
    for (const check of this.checks) {
      problem = await this.runCheck(check);
      if (problem !== undefined) break;
    }
    if (problem !== this.lastProblem) {
      if (problem === undefined) this.logger.log({ stage: 'readiness' }, 'Ready.');
      else if (this.wasReady) this.logger.error({ stage: 'readiness', problem }, 'Not ready.');
      else this.logger.warn({ stage: 'readiness', problem }, 'Not ready yet.');
    }
    this.wasReady ||= problem === undefined;
    this.lastProblem = problem;
    return problem;
  }

  private async runCheck({ name, findProblem }: ReadinessCheck): Promise<string | undefined> {
    const timer = new AbortController();
    const noResponse = `${name} does not respond.`;
    try {
      return await Promise.race([
        findProblem(),
        delay(CHECK_TIMEOUT_MS, noResponse, { ref: false, signal: timer.signal }),
      ]);
    } catch (error) {
      if (this.lastProblem !== noResponse) this.logger.error({ err: error, stage: 'readiness' });
      return noResponse;
    } finally {
      timer.abort();
    }
  }
}
