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
import {
  Notifier,
  Relay,
  Replays,
  socketLimit,
  Turns,
  type ClaimedDelivery,
  type DueEndpoint,
} from '#webhooks';
import { AttemptsInFlight } from './attempts-in-flight.js';
import { Loop } from './loop.js';
import { RelayLoops } from './relay-loops.js';
import { Slots } from './slots.js';
import { WORKER_CONFIG } from './worker.config.js';

// What an endpoint gets in one turn, before the next one's turn has come.
const DELIVERIES_IN_A_TURN = 50;
// Retries that are due within such a time are looked for together.
const SWEEP_PAUSE_MS = 20;
// How late a sweep is whose plans another worker has changed.
const IDLE_MS = 1_000;

/** From the outbox to the subscribers: relays new events, sweeps up what is due, and delivers. */
@Injectable()
export class DeliveryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryService.name);
  private readonly slots: Slots;
  private readonly keptDays: number;
  private relayLoops: RelayLoops | undefined;
  private sweepLoop: Loop | undefined;
  private consuming = false;
  private queueing: Promise<void> | undefined;
  private readonly again = new Map<string, DueEndpoint>();
  private readonly inFlight: AttemptsInFlight;

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
    unitOfWork.onEvents(() => this.relayLoops?.wake());
    this.inFlight = new AttemptsInFlight(turns);
    this.slots = new Slots(Math.min(config.WORKER_CONCURRENCY, socketLimit()));
    this.keptDays = config.RETENTION_DAYS;
  }

  onApplicationBootstrap(): void {
    this.relayLoops = new RelayLoops(this.relay, (endpoints) => this.relayed(endpoints));
    this.sweepLoop = new Loop('sweep', () => this.sweep());
    this.inFlight.start();
  }

  /** Finishes what is under way: a delivery that was begun is recorded before the worker leaves. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.relayLoops?.stop(), this.sweepLoop?.stop()]);
    const done = this.slots.close();
    // The turns that come back from here go to other workers.
    await this.jobs.stopWorking();
    await done;
    await this.notifier.settled();
    await this.inFlight.stop();
    await this.queueing;
    await this.queueAgain();
  }

  private async relayed(endpoints: DueEndpoint[]): Promise<void> {
    // Not before a statement has gone through: the database may come later, or be migrated later.
    if (!this.consuming) this.consume();
    await this.jobs.enqueue(endpoints);
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
    this.jobs.onRelaySignal(() => this.relayLoops?.wake());
    this.jobs.onTurns(async (endpoints) => {
      await Promise.all((endpoints as DueEndpoint[]).map((endpoint) => this.take(endpoint)));
    });
  }

  /**
   * Resolves when the endpoint's deliveries have been claimed, or the endpoint waits for a slot. The
   * job is done then: no endpoint behind it in the queue waits as well.
   */
  private async take(endpoint: DueEndpoint): Promise<void> {
    // The window of the others is 1.
    const most = endpoint.health === 'healthy' ? DELIVERIES_IN_A_TURN : 1;
    const slots = this.slots.tryTake(endpoint, most);
    if (slots > 0) await this.claim(endpoint, slots);
    else if (this.slots.isClosed) this.queue(endpoint);
    else void this.waitForSlots(endpoint, most);
  }

  private async waitForSlots(endpoint: DueEndpoint, most: number): Promise<void> {
    const slots = await this.slots.wait(endpoint, most);
    if (slots > 0) await this.claim(endpoint, slots);
    else if (this.slots.isClosed) this.queue(endpoint);
  }

  /** What could not be claimed is brought back by the sweep. */
  private async claim(endpoint: DueEndpoint, slots: number): Promise<void> {
    const { endpointId } = endpoint;
    const { deliveries, again, pausedFor } = await this.turns
      .claim(endpointId, slots)
      .catch((error: unknown) => {
        this.logger.error({ err: error, stage: 'claim', endpointId });
        return { deliveries: [], again: false, pausedFor: null };
      });
    const unused = slots - deliveries.length;
    this.slots.free(endpoint, unused, unused);
    if (again) this.queue(endpoint);
    if (pausedFor !== null) this.sweepLoop?.wakeIn(pausedFor);
    for (const delivery of deliveries) void this.attempt(delivery, endpoint);
  }

  private async attempt(delivery: ClaimedDelivery, endpoint: DueEndpoint): Promise<void> {
    const attempt = this.inFlight.begin(delivery);
    try {
      const next = await this.notifier.attempt(delivery, attempt.signal);
      if (next) this.queue({ ...endpoint, health: next });
    } catch (error) {
      this.logger.error({ err: error, stage: 'attempt', deliveryId: delivery.id });
    } finally {
      attempt.end();
      this.slots.free(endpoint, 1);
    }
  }

  /** It is the endpoint's turn again. What comes in one turn of the event loop goes together. */
  private queue(endpoint: DueEndpoint): void {
    if (this.again.size === 0) {
      setImmediate(() => {
        this.queueing = this.queueAgain();
      });
    }
    this.again.set(endpoint.endpointId, endpoint);
  }

  private async queueAgain(): Promise<void> {
    const turns = [...this.again.values()];
    this.again.clear();
    await this.jobs.enqueue(turns).catch((error: unknown) => {
      this.logger.warn({ err: error, stage: 'queue' }, 'The sweep will bring them back.');
    });
  }
}
