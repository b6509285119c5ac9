import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { LogThrottle, type WorkerConfig } from '#config';
import { Database, UnitOfWork } from '#database';
import { KeyRotation } from '#key-rotation';
import { JobQueue } from '#queue';
import { traceparentOf } from '#tracing';
import {
  AttemptRecorder,
  Claims,
  DeliveryRequests,
  Relay,
  retryDelay,
  Sender,
  socketLimit,
  StatusUpdates,
  type AttemptResult,
  type ClaimedDelivery,
  type DueEndpoint,
  type LocalProblem,
} from '#webhooks';
import {
  endAttemptSpan,
  endClaimSpan,
  startAttemptSpan,
  startClaimSpan,
} from './telemetry/delivery-spans.js';
import { logAttempt } from './telemetry/attempt-log.js';
import { AttemptsInFlight } from './attempts-in-flight.js';
import { DeliveryMetrics } from './telemetry/delivery-metrics.js';
import type { Loop } from './loops/loop.js';
import { Loops } from './loops/loops.js';
import { RelayLoops } from './relay-loops.js';
import { Slots } from './slots.js';
import { WORKER_CONFIG } from './worker.config.js';

// How many deliveries of one endpoint one job claims, before the next endpoint in the queue is served.
const MAX_CLAIM = 50;
// Retries that are due within this time are swept together.
const MIN_SWEEP_PAUSE_MS = 20;
// If another worker has changed the schedule, a sweep is at most this late.
const MAX_SWEEP_PAUSE_MS = 1_000;
const DATABASE_CHECK_PAUSE_MS = 1_000;
// How long a worker that lacks a key keeps a job, so that other workers take most of the jobs.
const MISSING_KEY_PAUSE_MS = 1_000;

/**
 * Takes events from the outbox to the subscribers. The steps have the order of this file:
 *
 * 1. relay: new events become deliveries, and their endpoints go into the queue (`relayLoops`, `sweep`);
 * 2. claim: a job of the queue names endpoints; their due deliveries are claimed (`serve`, `claim`);
 * 3. send: each claimed delivery is signed and posted (`attempt`, `send`);
 * 4. record: the result is stored, with the time of the next attempt (`recordResult`); the endpoint may go
 *    into the queue again (`requeue`).
 *
 * PostgreSQL knows what is due. The queue only says where to look, and may lose everything.
 */
@Injectable()
export class DeliveryPipeline implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryPipeline.name);
  private readonly slots: Slots;
  private readonly inFlight: AttemptsInFlight;
  private readonly localProblems = new LogThrottle();
  private readonly databaseProblems = new LogThrottle();
  private readonly requeued = new Map<string, DueEndpoint>();
  private requeuing: Promise<void> | undefined;
  private relayLoops: RelayLoops | undefined;
  private sweepLoop: Loop | undefined;
  private consumeLoop: Loop | undefined;

  constructor(
    @Inject(WORKER_CONFIG) config: WorkerConfig,
    private readonly loops: Loops,
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly relay: Relay,
    private readonly claims: Claims,
    private readonly requests: DeliveryRequests,
    private readonly sender: Sender,
    private readonly recorder: AttemptRecorder,
    private readonly statusUpdates: StatusUpdates,
    private readonly metrics: DeliveryMetrics,
    private readonly keys: KeyRotation,
    unitOfWork: UnitOfWork,
  ) {
    // The worker also writes events: changes of an endpoint's status.
    unitOfWork.onCommit(() => this.relayLoops?.wake());
    this.inFlight = new AttemptsInFlight(loops, claims);
    this.slots = new Slots(Math.min(config.WORKER_CONCURRENCY, socketLimit()));
    metrics.watchSlots(this.slots);
  }

  onApplicationBootstrap(): void {
    this.relayLoops = new RelayLoops(
      this.loops,
      this.relay,
      (endpoints) => this.enqueue(endpoints),
      (count) => this.metrics.countRelayed(count),
    );
    this.sweepLoop = this.loops.start('sweep', () => this.sweep());
    this.consumeLoop = this.loops.start('consume', () => this.consumeOnceDatabaseIsWritable());
    this.inFlight.start();
  }

  /**
   * Finishes what is under way: deliveries that this worker has begun are recorded before the worker ends.
   */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.relayLoops?.stop(), this.sweepLoop?.stop(), this.consumeLoop?.stop()]);
    const allSlotsFree = this.slots.close();
    // From here on, other workers serve the endpoints that are queued.
    await this.jobs.stopConsuming();
    await allSlotsFree;
    await this.statusUpdates.flush();
    await this.inFlight.stop();
    await this.requeuing;
    await this.flushRequeued();
  }

  /** Takes no jobs while DATABASE_URL leads to a standby. */
  private async consumeOnceDatabaseIsWritable(): Promise<number> {
    const problem = await this.database.findProblem();
    if (problem !== undefined) {
      this.databaseProblems.log((count) =>
        this.logger.warn({ stage: 'consume', problem, count }, 'Takes no jobs.'),
      );
      return DATABASE_CHECK_PAUSE_MS;
    }
    this.jobs.onSignal(() => this.relayLoops?.wake());
    this.jobs.consume(async (endpoints) => {
      await Promise.all((endpoints as DueEndpoint[]).map((endpoint) => this.serve(endpoint)));
    });
    return Infinity;
  }

  /** Queues endpoints that are due: a retry is due, a job was lost, or a worker has died. */
  private async sweep(): Promise<number> {
    const { dueEndpoints, nextSweepInMs } = await this.claims.sweep();
    await this.enqueue(dueEndpoints);
    const pauseMs = Math.max(MIN_SWEEP_PAUSE_MS, nextSweepInMs ?? MAX_SWEEP_PAUSE_MS);
    return Math.min(pauseMs, MAX_SWEEP_PAUSE_MS);
  }

  /**
   * Resolves when the endpoint's deliveries have been claimed, or when the endpoint waits for a slot. Then
   * the job is done, so the next endpoints in the queue do not wait.
   */
  private async serve(endpoint: DueEndpoint): Promise<void> {
    if (this.keys.findProblem() !== undefined) {
      await delay(MISSING_KEY_PAUSE_MS);
      this.requeue(endpoint);
      return;
    }
    // An endpoint that is not healthy has a window of 1.
    const limit = endpoint.health === 'healthy' ? MAX_CLAIM : 1;
    const slots = this.slots.tryTake(endpoint, limit);
    if (slots > 0) await this.claim(endpoint, slots);
    else if (this.slots.isClosed) this.requeue(endpoint);
    else void this.claimOnceSlotsAreFree(endpoint, limit);
  }

  private async claimOnceSlotsAreFree(endpoint: DueEndpoint, limit: number): Promise<void> {
    const slots = await this.slots.wait(endpoint, limit);
    if (slots > 0) await this.claim(endpoint, slots);
    else if (this.slots.isClosed) this.requeue(endpoint);
  }

  /** If the claim fails, the sweep queues the endpoint again. */
  private async claim(endpoint: DueEndpoint, slots: number): Promise<void> {
    const { endpointId } = endpoint;
    const span = startClaimSpan(endpoint);
    const { deliveries, hasMore, pausedForMs } = await this.claims
      .claim(endpointId, slots)
      .catch((error: unknown) => {
        this.logger.error({ err: error, stage: 'claim', endpointId });
        return { deliveries: [], hasMore: false, pausedForMs: null };
      });
    endClaimSpan(span, deliveries);
    const unused = slots - deliveries.length;
    this.slots.free(endpoint, unused, unused);
    if (hasMore) this.requeue(endpoint);
    if (pausedForMs !== null) this.sweepLoop?.wakeIn(pausedForMs);
    for (const delivery of deliveries) void this.attempt(delivery, endpoint);
  }

  private async attempt(delivery: ClaimedDelivery, endpoint: DueEndpoint): Promise<void> {
    const { signal, end } = this.inFlight.track(delivery);
    const span = startAttemptSpan(delivery);
    try {
      const result = await this.send(delivery, signal, span && traceparentOf(span));
      endAttemptSpan(span, result);
      this.metrics.countAttempt(delivery, result);
      if (result.localProblem) await this.releaseUnsent(delivery, result, result.localProblem);
      else await this.recordResult(delivery, result, endpoint);
    } catch (error) {
      this.logger.error({ err: error, stage: 'attempt', deliveryId: delivery.id });
    } finally {
      end();
      this.slots.free(endpoint, 1);
    }
  }

  private async send(
    delivery: ClaimedDelivery,
    signal: AbortSignal,
    traceparent: string | undefined,
  ): Promise<AttemptResult> {
    const startedAt = new Date();
    const request = this.requests.prepare(delivery, startedAt, traceparent);
    if ('error' in request) {
      return {
        ok: false,
        statusCode: null,
        responseHeaders: null,
        responseBody: null,
        requestHeaders: null,
        startedAt,
        durationMs: Date.now() - startedAt.getTime(),
        ...request,
      };
    }
    const { body, headers, loggedHeaders } = request;
    const result = await this.sender.send(delivery.url, body, headers, signal);
    const durationMs = Date.now() - startedAt.getTime();
    return { ...result, requestHeaders: loggedHeaders, startedAt, durationMs, traceparent };
  }

  /** Nothing was sent, and the receiver is not to blame, so this does not count as an attempt. */
  private async releaseUnsent(
    delivery: ClaimedDelivery,
    { stage }: AttemptResult,
    localProblem: LocalProblem,
  ): Promise<void> {
    await this.claims.release(delivery, localProblem);
    this.localProblems.log((count) =>
      this.logger.warn(
        { deliveryId: delivery.id, stage, count },
        `Not sent because of a problem outside the receiver: ${localProblem.reason}. The delivery keeps its attempts and is retried in seconds.`,
      ),
    );
  }

  private async recordResult(
    delivery: ClaimedDelivery,
    result: AttemptResult,
    endpoint: DueEndpoint,
  ): Promise<void> {
    const attempts = delivery.attempts + 1;
    const isFinished = result.ok || result.stage === 'event';
    const retryInMs = isFinished ? undefined : retryDelay(attempts, result.retryAfterMs);
    const update = await this.recorder.record(delivery, result, retryInMs);
    logAttempt(this.logger, delivery, result, retryInMs);
    const { endpointId, url } = delivery;
    const { statusCode, error, startedAt } = result;
    this.statusUpdates.add({ endpointId, url, statusCode, error, startedAt }, update);
    if (update?.shouldClaimNext) this.requeue({ ...endpoint, health: update.health });
  }

  /** If the queue fails, for example during a failover of Redis, a sweep queues the endpoints a second later. */
  private async enqueue(endpoints: readonly DueEndpoint[]): Promise<void> {
    try {
      await this.jobs.enqueue(endpoints);
    } catch (error) {
      const ids = endpoints.map(({ endpointId }) => endpointId);
      await this.claims.wakeSoon(ids).catch((wakeError: unknown) => {
        this.logger.warn({ err: wakeError, stage: 'queue' }, 'The sweep queues them later.');
      });
      throw error;
    }
  }

  /** Collects the endpoints of one iteration of the event loop, and queues them together. */
  private requeue(endpoint: DueEndpoint): void {
    if (this.requeued.size === 0) {
      setImmediate(() => {
        this.requeuing = this.flushRequeued();
      });
    }
    this.requeued.set(endpoint.endpointId, endpoint);
  }

  private async flushRequeued(): Promise<void> {
    const endpoints = [...this.requeued.values()];
    this.requeued.clear();
    await this.enqueue(endpoints).catch((error: unknown) => {
      this.logger.warn(
        { err: error, stage: 'queue' },
        'The endpoints could not be queued; the sweep queues them again.',
      );
    });
  }
}
