import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { LogThrottle } from '#config';
import { Database, UnitOfWork } from '#database';
import { KeyRotation } from '#key-rotation';
import { Loops, type Loop } from '#loops';
import { Metrics } from '#metrics';
import { JobQueue } from '#queue';
import { traceparentOf } from '#tracing';
import type { LocalProblem } from '../sending/attempt-errors.js';
import { Sender } from '../sending/sender.js';
import type { DueEndpoint } from '../traffic/endpoint-health.js';
import { AttemptRecorder, type AttemptResult } from './attempt-recorder.js';
import { AttemptsInFlight } from './attempts-in-flight.js';
import { Claims, type ClaimedDelivery } from './claims.js';
import { DeliveryRequests } from './delivery-request.js';
import { EndpointQueue } from './endpoint-queue.js';
import { Relay, RelayLoops } from './relay.js';
import { retryDelay } from './retry-schedule.js';
import { Slots } from './slots.js';
import { StatusUpdates } from './status-updates.js';
import {
  countAttempt,
  endAttemptSpan,
  endClaimSpan,
  logAttempt,
  startAttemptSpan,
  startClaimSpan,
  watchSlots,
} from './telemetry.js';

// One job claims at most this many deliveries of its endpoint. The next endpoint in the queue is then served.
const MAX_CLAIM = 50;
// The shortest pause between two sweeps. Retries that become due during the pause are swept together.
const MIN_SWEEP_PAUSE_MS = 20;
// The longest pause between two sweeps. If another worker has scheduled an earlier retry, the retry is late by at most
// this time.
const MAX_SWEEP_PAUSE_MS = 1_000;
const DATABASE_CHECK_PAUSE_MS = 1_000;
// A worker that lacks a required encryption key keeps each job for this long before it requeues the endpoint. So other
// workers take most of the jobs.
const MISSING_KEY_PAUSE_MS = 1_000;

/**
 * Delivers the events in the outbox to the subscribers. The methods are in the order of the steps:
 *
 * 1. relay: new events become deliveries, and their endpoints go into the queue (`relayLoops`, `sweep`);
 * 2. claim: a job from the queue names endpoints, and their due deliveries are claimed (`serve`, `claim`);
 * 3. send: each claimed delivery is signed and posted (`attempt`, `send`);
 * 4. record: the result is stored, with the time of the next attempt (`recordResult`); the endpoint may go into the
 *    queue again.
 *
 * PostgreSQL is the source of truth for what is due. The queue only says where to look, and may lose everything.
 */
@Injectable()
export class DeliveryPipeline implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryPipeline.name);
  private readonly localProblems = new LogThrottle();
  private readonly databaseProblems = new LogThrottle();
  private relayLoops: RelayLoops | undefined;
  private sweepLoop: Loop | undefined;
  private consumeLoop: Loop | undefined;

  constructor(
    private readonly slots: Slots,
    private readonly loops: Loops,
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly queue: EndpointQueue,
    private readonly relay: Relay,
    private readonly claims: Claims,
    private readonly inFlight: AttemptsInFlight,
    private readonly requests: DeliveryRequests,
    private readonly sender: Sender,
    private readonly recorder: AttemptRecorder,
    private readonly statusUpdates: StatusUpdates,
    private readonly metrics: Metrics,
    private readonly keys: KeyRotation,
    unitOfWork: UnitOfWork,
  ) {
    // Each status change of an endpoint is an event, so a worker may have to relay an event that it has written itself.
    unitOfWork.onCommit(() => this.relayLoops?.wake());
    watchSlots(metrics, slots);
  }

  onApplicationBootstrap(): void {
    this.relayLoops = new RelayLoops(this.loops, this.relay, this.queue, (events) =>
      this.metrics.add('galley_events_relayed_total', {}, events),
    );
    this.sweepLoop = this.loops.start('sweep', () => this.sweep());
    this.consumeLoop = this.loops.start('consume', () => this.consumeOnceDatabaseIsWritable());
    this.inFlight.start();
  }

  /**
   * Finishes the work in progress, so that every attempt that this worker has begun is recorded before the process
   * ends.
   */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.relayLoops?.stop(), this.sweepLoop?.stop(), this.consumeLoop?.stop()]);
    const allSlotsFree = this.slots.close();
    await this.queue.stopConsuming();
    await allSlotsFree;
    await this.statusUpdates.flush();
    await this.inFlight.stop();
    await this.queue.flush();
  }

  /**
   * Takes no jobs until the database is writable. For example, DATABASE_URL may lead to a standby, which is read-only.
   */
  private async consumeOnceDatabaseIsWritable(): Promise<number> {
    const problem = await this.database.findProblem();
    if (problem !== undefined) {
      this.databaseProblems.log((count) =>
        this.logger.warn(
          { stage: 'consume', problem, count },
          'The worker takes no jobs until the database is writable.',
        ),
      );
      return DATABASE_CHECK_PAUSE_MS;
    }
    this.jobs.onSignal(() => this.relayLoops?.wake());
    this.queue.consume((endpoint) => this.serve(endpoint));
    return Infinity;
  }

  /** Queues endpoints because a retry is due, a job was lost, or a worker has died. */
  private async sweep(): Promise<number> {
    const { dueEndpoints, nextSweepInMs } = await this.claims.sweep();
    await this.queue.add(dueEndpoints);
    const pauseMs = Math.max(MIN_SWEEP_PAUSE_MS, nextSweepInMs ?? MAX_SWEEP_PAUSE_MS);
    return Math.min(pauseMs, MAX_SWEEP_PAUSE_MS);
  }

  /**
   * Resolves once deliveries of the endpoint have been claimed, or once the endpoint waits for a slot. The job then
   * ends, so the next endpoints in the queue wait neither for the slot nor for the attempts.
   */
  private async serve(endpoint: DueEndpoint): Promise<void> {
    if (this.keys.findProblem() !== undefined) {
      await delay(MISSING_KEY_PAUSE_MS);
      this.queue.requeue(endpoint);
      return;
    }
    // An endpoint that is not healthy has a window of 1.
    const limit = endpoint.health === 'healthy' ? MAX_CLAIM : 1;
    const slots = this.slots.tryTake(endpoint, limit);
    if (slots > 0) await this.claim(endpoint, slots);
    else if (this.slots.isClosed) this.queue.requeue(endpoint);
    else void this.claimOnceSlotsAreFree(endpoint, limit);
  }

  private async claimOnceSlotsAreFree(endpoint: DueEndpoint, limit: number): Promise<void> {
    const slots = await this.slots.wait(endpoint, limit);
    if (slots > 0) await this.claim(endpoint, slots);
    else if (this.slots.isClosed) this.queue.requeue(endpoint);
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
    if (hasMore) this.queue.requeue(endpoint);
    if (pausedForMs !== null) this.sweepLoop?.wakeIn(pausedForMs);
    for (const delivery of deliveries) void this.attempt(delivery, endpoint);
  }

  private async attempt(delivery: ClaimedDelivery, endpoint: DueEndpoint): Promise<void> {
    const { signal, end } = this.inFlight.track(delivery);
    const span = startAttemptSpan(delivery);
    try {
      const result = await this.send(delivery, signal, span && traceparentOf(span));
      endAttemptSpan(span, result);
      countAttempt(this.metrics, delivery, result);
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

  /** Releases the claim without counting an attempt, because nothing was sent and the receiver is not to blame. */
  private async releaseUnsent(
    delivery: ClaimedDelivery,
    { stage }: AttemptResult,
    localProblem: LocalProblem,
  ): Promise<void> {
    await this.claims.release(delivery, localProblem);
    this.localProblems.log((count) =>
      this.logger.warn(
        { deliveryId: delivery.id, stage, count },
        `A problem on Galley's side prevented the request: ${localProblem.reason}. The delivery is due again within seconds; no attempt is counted.`,
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
    logAttempt(delivery, result, retryInMs);
    const { endpointId, url } = delivery;
    const { statusCode, error, startedAt } = result;
    this.statusUpdates.add({ endpointId, url, statusCode, error, startedAt }, update);
    if (update?.shouldClaimNext) this.queue.requeue({ ...endpoint, health: update.health });
  }
}
