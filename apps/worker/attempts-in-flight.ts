import { Logger } from '@nestjs/common';
import type { ClaimedDelivery, Turns } from '#webhooks';
import { Loop } from './loop.js';

// How long an attempt may take before anybody asks whether it is still wanted. Most take less.
const LOOK_AFTER_MS = 1_000;
const UNTIL_WOKEN_MS = 2 ** 31 - 1;

interface Attempt {
  endpointId: string;
  startedAt: Date;
  controller: AbortController;
}

/**
 * The attempts of this worker. If the endpoint or its workspace is deleted while a receiver is waited
 * for, the attempt ends within a second and frees its slot and its connection.
 */
export class AttemptsInFlight {
  private readonly logger = new Logger(AttemptsInFlight.name);
  private readonly attempts = new Set<Attempt>();
  private readonly loop = new Loop('attempts in flight', () => this.look());

  constructor(private readonly turns: Turns) {}

  begin({ endpointId }: ClaimedDelivery): { signal: AbortSignal; end: () => void } {
    const controller = new AbortController();
    const attempt = { endpointId, startedAt: new Date(), controller };
    this.attempts.add(attempt);
    if (this.attempts.size === 1) this.loop.wake();
    return { signal: controller.signal, end: () => this.attempts.delete(attempt) };
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Asks nothing while all attempts are quick. */
  private async look(): Promise<number> {
    const before = Date.now() - LOOK_AFTER_MS;
    const slow = [...this.attempts].filter(({ startedAt }) => startedAt.getTime() < before);
    if (slow.length > 0) {
      const deleted = new Set(await this.turns.deletedAmong(slow));
      for (const attempt of slow.filter((_, at) => deleted.has(at))) {
        attempt.controller.abort();
        this.logger.log({ endpointId: attempt.endpointId }, 'attempt ended, endpoint was deleted');
      }
    }
    return this.attempts.size > 0 ? LOOK_AFTER_MS : UNTIL_WOKEN_MS;
  }
}
