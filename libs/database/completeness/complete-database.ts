import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database.js';

const CHECK_PAUSE_MS = 1_000;

/**
 * Checks once a second whether the database is complete, until it is. Complete means that the last restore has
 * finished, and that the schema is the one that this program needs. A complete database stays complete while the
 * program runs, because a restore refuses a database that is in use.
 */
@Injectable()
export class CompleteDatabase implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(CompleteDatabase.name);
  private readonly stopping = new AbortController();
  private readonly completion = Promise.withResolvers<undefined>();
  private lastProblem: string | undefined;
  isComplete = false;

  constructor(private readonly database: Database) {}

  get completed(): Promise<unknown> {
    return this.completion.promise;
  }

  async onModuleInit(): Promise<void> {
    if (!(await this.check())) void this.checkUntilComplete();
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  private async checkUntilComplete(): Promise<void> {
    const { signal } = this.stopping;
    do {
      await delay(CHECK_PAUSE_MS, undefined, { ref: false, signal }).catch(() => undefined);
    } while (!signal.aborted && !(await this.check()));
  }

  private async check(): Promise<boolean> {
    const problem = await this.database
      .findIncompleteness()
      .catch((error: unknown) => `The database does not respond: ${(error as Error).message}`);
    if (problem === undefined) {
      this.isComplete = true;
      this.completion.resolve(undefined);
      if (this.lastProblem !== undefined) this.logger.log('The database is ready.');
    } else if (problem !== this.lastProblem) {
      this.logger.warn({ stage: 'start', problem }, 'Waiting until the database is ready.');
    }
    this.lastProblem = problem;
    return this.isComplete;
  }
}
