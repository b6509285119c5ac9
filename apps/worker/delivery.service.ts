import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { WorkerConfig } from '#config';
import { JobQueue } from '#queue';
import { Deliveries, Notifier, type ClaimedDelivery, type DueDelivery } from '#webhooks';
import { Loop } from './loop.js';
import { Slots } from './slots.js';
import { WORKER_CONFIG } from './worker.config.js';

// A queue that stays long must not keep retries out for ever.
const LONGEST_PAUSE_MS = 60_000;

/** From the outbox to the subscribers: relays new events, sweeps up what is due, and delivers. */
@Injectable()
export class DeliveryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryService.name);
  private readonly slots: Slots;
  private relayLoop: Loop | undefined;
  private sweepLoop: Loop | undefined;
  private consuming = false;
  private sweptSome = false;
  private sweptAt = 0;
  private readonly untouched: DueDelivery[] = [];

  constructor(
    @Inject(WORKER_CONFIG) config: WorkerConfig,
    private readonly jobs: JobQueue,
    private readonly deliveries: Deliveries,
    private readonly notifier: Notifier,
  ) {
    this.slots = new Slots(config.WORKER_CONCURRENCY);
  }

  onApplicationBootstrap(): void {
    this.relayLoop = new Loop('relay', () => this.relay());
    this.sweepLoop = new Loop('sweep', () => this.sweep());
  }

  /** Finishes what is under way: a delivery that was begun is recorded before the worker leaves. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.relayLoop?.stop(), this.sweepLoop?.stop()]);
    const done = this.slots.close();
    await this.jobs.stopWorking();
    // For another worker, which need not wait for the sweep then.
    await this.jobs.enqueue(this.untouched).catch((error: unknown) => {
      this.logger.warn({ err: error, stage: 'hand-over' }, 'The sweep will bring them back.');
    });
    await done;
  }

  private async relay(): Promise<boolean> {
    const { due, more } = await this.deliveries.relay();
    // Not before a statement has gone through: the database may come later, or be migrated later.
    if (!this.consuming) this.consume();
    await this.jobs.enqueue(due);
    return more;
  }

  private consume(): void {
    this.consuming = true;
    this.jobs.onRelaySignal(() => this.relayLoop?.wake());
    this.jobs.onDeliveries(async (due) => {
      await Promise.all(due.map((each) => this.takeUp(each)));
    });
  }

  /** Resolves when the delivery has been claimed or could not be: its claim or the sweep brings it back. */
  private async takeUp(due: DueDelivery): Promise<void> {
    if (!(await this.slots.take())) {
      this.untouched.push(due);
      return;
    }
    const delivery = await this.deliveries.claim(due).catch((error: unknown) => {
      this.logger.error({ err: error, stage: 'claim', deliveryId: due.id });
      return undefined;
    });
    if (delivery === undefined) this.slots.free();
    else void this.attempt(delivery);
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    try {
      await this.notifier.attempt(delivery);
    } catch (error) {
      this.logger.error({ err: error, stage: 'attempt', deliveryId: delivery.id });
    } finally {
      this.slots.free();
    }
  }

  private async sweep(): Promise<boolean> {
    // With a long queue it would put in again what only waits for its turn.
    const isRecent = Date.now() - this.sweptAt < LONGEST_PAUSE_MS;
    if (this.sweptSome && isRecent && (await this.jobs.isLong())) return false;
    const due = await this.deliveries.sweep();
    this.sweptAt = Date.now();
    this.sweptSome = due.length > 0;
    await this.jobs.enqueue(due);
    return this.sweptSome;
  }
}
