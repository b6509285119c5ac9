import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { WorkerConfig } from '#config';
import { JobQueue } from '#queue';
import { Deliveries, Notifier } from '#webhooks';
import { Loop } from './loop.js';
import { WORKER_CONFIG } from './worker.config.js';

/** From the outbox to the subscribers: relays new events, sweeps up what is due, and delivers. */
@Injectable()
export class DeliveryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private relayLoop: Loop | undefined;
  private sweepLoop: Loop | undefined;
  private consuming = false;

  constructor(
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    private readonly jobs: JobQueue,
    private readonly deliveries: Deliveries,
    private readonly notifier: Notifier,
  ) {}

  onApplicationBootstrap(): void {
    this.relayLoop = new Loop('relay', () => this.relay());
    this.sweepLoop = new Loop('sweep', () => this.sweep());
  }

  /** Finishes what is under way: a delivery that was begun is recorded before the worker leaves. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.relayLoop?.stop(), this.sweepLoop?.stop()]);
    await this.jobs.stopWorking();
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
    this.jobs.onDelivery((due) => this.notifier.deliver(due), this.config.WORKER_CONCURRENCY);
  }

  private async sweep(): Promise<boolean> {
    const due = await this.deliveries.sweep();
    await this.jobs.enqueue(due);
    return due.length > 0;
  }
}
