import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { LogThrottle } from '#config';
import { Database, Lease } from '#database';
import { observeSearchBacklog } from '#documents';
import { inspectKeys } from '#key-rotation';
import { JobQueue } from '#queue';
import { settledWithin } from '#shutdown';
import { BacklogObserver } from '#webhooks';
import { Metrics, type Sample } from '#metrics';

/** Tests set shorter times before the program starts. */
export const OBSERVATION_TIMES = {
  intervalMs: 10_000,
  // If the process that holds the lease dies, another one takes over within this time plus one interval.
  leaseSeconds: 20,
};
// A shutdown waits at most this long for a measurement in progress.
const STOP_MS = 2_000;
const RANKS = 10;

/**
 * Measures the backlog that all processes share, in PostgreSQL and in the queue. One process at a time measures the
 * backlog, every ten seconds, and only that process exports the results. Otherwise, a sum over all processes would
 * count the same work several times. API processes take part as well, because an operator must see the backlog even if
 * no worker runs.
 */
@Injectable()
export class FleetObserver implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FleetObserver.name);
  private readonly failures = new LogThrottle();
  private readonly lease: Lease;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private samples: Sample[] = [];

  constructor(
    private readonly metrics: Metrics,
    private readonly backlog: BacklogObserver,
    private readonly jobs: JobQueue,
    private readonly database: Database,
  ) {
    this.lease = new Lease(database, 'fleet metrics', OBSERVATION_TIMES.leaseSeconds);
  }

  onApplicationBootstrap(): void {
    if (!this.metrics.isEnabled) return;
    this.metrics.watch(() => (this.lease.isHeld ? this.samples : []));
    this.timer = setInterval(() => this.run(), OBSERVATION_TIMES.intervalMs).unref();
    this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await settledWithin(STOP_MS, this.running);
    await this.lease.release();
  }

  private run(): void {
    this.running ??= this.observe()
      .catch((error: unknown) => this.logFailure(error))
      .finally(() => (this.running = undefined));
  }

  private async observe(): Promise<void> {
    if (!(await this.lease.acquire())) {
      this.samples = [];
      return;
    }
    const deliveries = await this.readDeliveries();
    const noSamples = (error: unknown): Sample[] => {
      this.logFailure(error);
      return [];
    };
    const queue = await this.readQueue().catch(noSamples);
    const keys = await this.readKeys().catch(noSamples);
    const search = await this.readSearch().catch(noSamples);
    this.samples = [...deliveries, ...queue, ...keys, ...search];
  }

  private async readDeliveries(): Promise<Sample[]> {
    const outbox = await this.backlog.observeOutbox();
    const endpoints = await this.backlog.countEndpoints();
    const backlog = await this.backlog.observeBacklog();
    const { due, inFlight, held, paused, scheduled, workspaceBacklogs } = backlog;
    return [
      ['galley_outbox_events', {}, outbox.events],
      ['galley_outbox_oldest_age_seconds', {}, outbox.oldestAgeSeconds],
      ['galley_deliveries', { state: 'due' }, due],
      ['galley_deliveries', { state: 'in_flight' }, inFlight],
      ['galley_deliveries', { state: 'held' }, held],
      ['galley_deliveries', { state: 'paused' }, paused],
      ['galley_deliveries', { state: 'scheduled' }, scheduled],
      ['galley_deliveries_oldest_due_age_seconds', {}, backlog.oldestDueAgeSeconds],
      ['galley_breakers_open', {}, backlog.openBreakers],
      ['galley_observed_timestamp_seconds', {}, backlog.observedAtSeconds],
      ...endpoints.map(([state, count]): Sample => ['galley_endpoints', { state }, count]),
      ...Array.from({ length: RANKS }, (_, index): Sample => {
        const rank = String(index + 1);
        return ['galley_workspace_backlog_deliveries', { rank }, workspaceBacklogs[index] ?? 0];
      }),
    ];
  }

  private async readQueue(): Promise<Sample[]> {
    const { waiting, active, oldestAgeSeconds } = await this.jobs.observe();
    return [
      ['galley_queue_jobs', { state: 'waiting' }, waiting],
      ['galley_queue_jobs', { state: 'active' }, active],
      ['galley_queue_oldest_job_age_seconds', {}, oldestAgeSeconds],
    ];
  }

  private async readSearch(): Promise<Sample[]> {
    const { documents, oldestDueAgeSeconds } = await observeSearchBacklog(this.database);
    return [
      ['galley_search_documents_waiting', {}, documents],
      ['galley_search_oldest_due_age_seconds', {}, oldestDueAgeSeconds],
    ];
  }

  private async readKeys(): Promise<Sample[]> {
    const { keys, programs } = await inspectKeys(this.database.query);
    const active = keys.find(({ state }) => state === 'active');
    const old = keys.filter((key) => key !== active);
    const waiting = programs.filter(({ keyIds }) => keyIds[0] !== active?.id);
    const key = 'galley_encryption_key_webhooks';
    return [
      [key, { key: 'active' }, active?.webhooks ?? 0],
      [key, { key: 'old' }, old.reduce((sum, { webhooks }) => sum + webhooks, 0)],
      ['galley_encryption_key_waiting', {}, waiting.length],
    ];
  }

  private logFailure(error: unknown): void {
    this.failures.log((count) =>
      this.logger.warn(
        { err: error, stage: 'metrics', count },
        'The backlog could not be measured; the program will try again.',
      ),
    );
  }
}
