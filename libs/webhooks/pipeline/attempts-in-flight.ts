import { Injectable, Logger } from '@nestjs/common';
import { Loops, type Loop } from '#loops';
import { Claims, type ClaimedDelivery } from './claims.js';

// Only attempts that take longer than this are checked for a deleted endpoint. Most attempts are faster.
const SLOW_AFTER_MS = 1_000;

interface AttemptInFlight {
  delivery: ClaimedDelivery;
  startedAt: number;
  controller: AbortController;
}

/**
 * Tracks the attempts that this worker has in flight, and aborts them if their endpoint or its workspace is deleted.
 * This frees their slots and connections within two seconds: the worker checks once a second, and skips attempts that
 * are younger than a second.
 */
@Injectable()
export class AttemptsInFlight {
  private readonly logger = new Logger(AttemptsInFlight.name);
  private readonly attempts = new Set<AttemptInFlight>();
  private loop: Loop | undefined;

  constructor(
    private readonly loops: Loops,
    private readonly claims: Claims,
  ) {}

  start(): void {
    this.loop = this.loops.start('attempts in flight', () => this.abortDeleted());
  }

  track(delivery: ClaimedDelivery): { signal: AbortSignal; end: () => void } {
    const controller = new AbortController();
    const attempt = { delivery, startedAt: Date.now(), controller };
    this.attempts.add(attempt);
    if (this.attempts.size === 1) this.loop?.wake();
    return { signal: controller.signal, end: () => this.attempts.delete(attempt) };
  }

  async stop(): Promise<void> {
    await this.loop?.stop();
  }

  /** Aborts the attempts whose endpoint or workspace was deleted. Sends a query only if an attempt is slow. */
  private async abortDeleted(): Promise<number> {
    const slowBefore = Date.now() - SLOW_AFTER_MS;
    const slow = [...this.attempts].filter(({ startedAt }) => startedAt < slowBefore);
    if (slow.length > 0) {
      const deleted = new Set(await this.claims.findDeleted(slow.map(({ delivery }) => delivery)));
      for (const { delivery, controller } of slow.filter((_, index) => deleted.has(index))) {
        controller.abort();
        this.logger.log({ endpointId: delivery.endpointId }, 'attempt ended, endpoint was deleted');
      }
    }
    return this.attempts.size > 0 ? SLOW_AFTER_MS : Infinity;
  }
}
