import { Logger } from '@nestjs/common';
import type { ClaimedDelivery, Turns } from '#webhooks';
import { Loop } from './loop.js';

// How long an attempt may take before anybody asks whether it is still wanted. Most take less.
const LOOK_AFTER_MS = 1_000;
const UNTIL_WOKEN_MS = 2 ** 31 - 1;

interface Attempt {
  delivery: ClaimedDelivery;
  startedAt: number;
  controller: AbortController;
}

/**
 * The attempts of this worker. If the endpoint or its workspace is deleted while a receiver is waited
 * for, the attempt ends within a second and frees its slot and its connection.
 */
export class AttemptsInFlight {
  private readonly logger = new Logger(AttemptsInFlight.name);
  private readonly attempts = new Set<Attempt>();
  private loop: Loop | undefined;

  constructor(private readonly turns: Turns) {}

  start(): void {
    this.loop = new Loop('attempts in flight', () => this.look());
  }

  begin(delivery: ClaimedDelivery): { signal: AbortSignal; end: () => void } {
    const controller = new AbortController();
    const attempt = { delivery, startedAt: Date.now(), controller };
    this.attempts.add(attempt);
    if (this.attempts.size === 1) this.loop?.wake();
    return { signal: controller.signal, end: () => this.attempts.delete(attempt) };
  }

  async stop(): Promise<void> {
    await this.loop?.stop();
  }

  /** Asks nothing while all attempts are quick. */
  private async look(): Promise<number> {
    const before = Date.now() - LOOK_AFTER_MS;
    const slow = [...this.attempts].filter(({ startedAt }) => startedAt < before);
    if (slow.length > 0) {
      const deleted = new Set(await this.turns.deletedAmong(slow.map(({ delivery }) => delivery)));
      for (const { delivery, controller } of slow.filter((_, at) => deleted.has(at))) {
        controller.abort();
        this.logger.log({ endpointId: delivery.endpointId }, 'attempt ended, endpoint was deleted');
      }
    }
    return this.attempts.size > 0 ? LOOK_AFTER_MS : UNTIL_WOKEN_MS;
  }
}
