import { Injectable, Logger } from '@nestjs/common';
import { LogThrottle } from '#config';
import { CompleteDatabase } from '#database';
import { DomainError } from '#errors';
import { Metrics } from '#metrics';
import { Loop } from './loop.js';

/** Starts the loops of a worker, and logs and counts their failures. The loops begin when the database is complete. */
@Injectable()
export class Loops {
  private readonly failures = new Map<string, number>();
  private readonly throttles = new Map<string, LogThrottle>();

  constructor(
    private readonly database: CompleteDatabase,
    metrics: Metrics,
  ) {
    metrics.watch(() =>
      [...this.failures].map(([loop, count]) => [
        'galley_worker_loop_errors_total',
        { loop },
        count,
      ]),
    );
  }

  /** @param step see `Loop`. */
  start(name: string, step: () => Promise<number>): Loop {
    this.failures.set(name, this.failures.get(name) ?? 0);
    return new Loop(step, {
      after: this.database.completed,
      onFailure: (error) => this.noteFailure(name, error),
    });
  }

  /** Logs only one line for all loops during a database outage, because all loops fail at the same time. */
  private noteFailure(name: string, error: unknown): void {
    this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
    const isOutage = error instanceof DomainError && error.code === 'unavailable';
    this.throttleFor(isOutage ? 'outage' : name).log((count) =>
      new Logger(name).error(
        { err: error, stage: name, count },
        isOutage
          ? 'The database cannot be reached. All loops try again every second.'
          : 'A step failed, and will be tried again in a second.',
      ),
    );
  }

  private throttleFor(cause: string): LogThrottle {
    const throttle = this.throttles.get(cause) ?? new LogThrottle();
    this.throttles.set(cause, throttle);
    return throttle;
  }
}
