import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { WorkerConfig } from '#config';
import { UnitOfWork } from '#database';
import { JobQueue } from '#queue';
import { Notifier, Relay, Replays, Turns, type ClaimedDelivery } from '#webhooks';
import { Loop } from './loop.js';
import { Slots } from './slots.js';
import { WORKER_CONFIG } from './worker.config.js';

// What an endpoint gets in one turn, before the next one's turn has come.
const DELIVERIES_IN_A_TURN = 50;
// Retries that are due within such a time are looked for together.
const SWEEP_PAUSE_MS = 20;
// How late a relay is that was not woken, and a sweep whose plans another worker has changed.
const IDLE_MS = 1_000;

/** From the outbox to the subscribers: relays new events, sweeps up what is due, and delivers. */
@Injectable()
export class DeliveryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryService.name);
  private readonly slots: Slots;
  private readonly keptDays: number;
  private relayLoop: Loop | undefined;
  private sweepLoop: Loop | undefined;
  private consuming = false;
  private readonly again = new Set<string>();

  constructor(
    @Inject(WORKER_CONFIG) config: WorkerConfig,
    private readonly jobs: JobQueue,
    private readonly relay: Relay,
    private readonly turns: Turns,
    private readonly replays: Replays,
    private readonly notifier: Notifier,
    unitOfWork: UnitOfWork,
  ) {
    // What becomes of an endpoint is an event as well.
    unitOfWork.onEvents(() => this.relayLoop?.wake());
    this.slots = new Slots(config.WORKER_CONCURRENCY);
    this.keptDays = config.RETENTION_DAYS;
  }

  onApplicationBootstrap(): void {
    this.relayLoop = new Loop('relay', () => this.relayBatch());
    this.sweepLoop = new Loop('sweep', () => this.sweep());
  }

  /** Finishes what is under way: a delivery that was begun is recorded before the worker leaves. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.relayLoop?.stop(), this.sweepLoop?.stop()]);
    const done = this.slots.close();
    // The turns that come back from here go to other workers.
    await this.jobs.stopWorking();
    await done;
    await this.queueAgain();
  }

  private async relayBatch(): Promise<number> {
    const { turns, more } = await this.relay.relay();
    // Not before a statement has gone through: the database may come later, or be migrated later.
    if (!this.consuming) this.consume();
    await this.jobs.enqueue(turns);
    return more ? 0 : IDLE_MS;
  }

  private async sweep(): Promise<number> {
    const { turns, nextIn, hasReplays } = await this.turns.sweep();
    await this.jobs.enqueue(turns);
    if (hasReplays) {
      await this.jobs.enqueue(await this.replays.step(this.keptDays));
      return SWEEP_PAUSE_MS;
    }
    return Math.min(Math.max(SWEEP_PAUSE_MS, nextIn ?? IDLE_MS), IDLE_MS);
  }

  private consume(): void {
    this.consuming = true;
    this.jobs.onRelaySignal(() => this.relayLoop?.wake());
    this.jobs.onTurns(async (endpointIds) => {
      await Promise.all(endpointIds.map((endpointId) => this.take(endpointId)));
    });
  }

  /** Resolves when the turn's deliveries have been claimed, or could not be: the sweep brings them back. */
  private async take(endpointId: string): Promise<void> {
    const room = await this.slots.take(DELIVERIES_IN_A_TURN);
    if (room === 0) {
      this.queue(endpointId);
      return;
    }
    const { deliveries, again, pausedFor } = await this.turns
      .claim(endpointId, room)
      .catch((error: unknown) => {
        this.logger.error({ err: error, stage: 'claim', endpointId });
        return { deliveries: [], again: false, pausedFor: null };
      });
    this.slots.free(room - deliveries.length);
    if (again) this.queue(endpointId);
    if (pausedFor !== null) this.sweepLoop?.wakeIn(pausedFor);
    for (const delivery of deliveries) void this.attempt(delivery);
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    try {
      const again = await this.notifier.attempt(delivery);
      if (again) this.queue(delivery.endpointId);
    } catch (error) {
      this.logger.error({ err: error, stage: 'attempt', deliveryId: delivery.id });
    } finally {
      this.slots.free(1);
    }
  }

  /** It is the endpoint's turn again. What comes in one turn of the event loop goes together. */
  private queue(endpointId: string): void {
    if (this.again.size === 0) setImmediate(() => void this.queueAgain());
    this.again.add(endpointId);
  }

  private async queueAgain(): Promise<void> {
    const turns = [...this.again];
    this.again.clear();
    await this.jobs.enqueue(turns).catch((error: unknown) => {
      this.logger.warn({ err: error, stage: 'queue' }, 'The sweep will bring them back.');
    });
  }
}
