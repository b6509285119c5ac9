import { Injectable, Logger } from '@nestjs/common';
import { JobQueue } from '#queue';
import type { DueEndpoint } from '../traffic/endpoint-health.js';
import { Claims } from './claims.js';

/** The queue of endpoints that have due deliveries. If the queue loses endpoints, a sweep queues them again. */
@Injectable()
export class EndpointQueue {
  private readonly logger = new Logger(EndpointQueue.name);
  private readonly requeued = new Map<string, DueEndpoint>();
  private requeuing: Promise<void> | undefined;

  constructor(
    private readonly jobs: JobQueue,
    private readonly claims: Claims,
  ) {}

  /** @param serve returns a promise that resolves when the job is done. */
  consume(serve: (endpoint: DueEndpoint) => Promise<void>): void {
    this.jobs.consume(async (endpoints) => {
      await Promise.all((endpoints as DueEndpoint[]).map(serve));
    });
  }

  /** Stops taking jobs. Other workers serve the endpoints that are still queued. */
  stopConsuming(): Promise<void> {
    return this.jobs.stopConsuming();
  }

  /**
   * Adds endpoints to the queue. If this fails, for example during a Redis failover, the method throws, and a sweep
   * queues the endpoints a second later.
   */
  async add(endpoints: readonly DueEndpoint[]): Promise<void> {
    try {
      await this.jobs.enqueue(endpoints);
    } catch (error) {
      const ids = endpoints.map(({ endpointId }) => endpointId);
      await this.claims.wakeSoon(ids).catch((wakeError: unknown) => {
        this.logger.warn(
          { err: wakeError, stage: 'queue' },
          'The endpoints could not be queued; a later sweep queues them.',
        );
      });
      throw error;
    }
  }

  /**
   * Adds an endpoint to the end of the queue. Endpoints that are requeued in the same iteration of the event loop are
   * added together.
   */
  requeue(endpoint: DueEndpoint): void {
    if (this.requeued.size === 0) {
      setImmediate(() => {
        this.requeuing = this.flushRequeued();
      });
    }
    this.requeued.set(endpoint.endpointId, endpoint);
  }

  async flush(): Promise<void> {
    await this.requeuing;
    await this.flushRequeued();
  }

  private async flushRequeued(): Promise<void> {
    const endpoints = [...this.requeued.values()];
    this.requeued.clear();
    await this.add(endpoints).catch((error: unknown) => {
      this.logger.warn(
        { err: error, stage: 'queue' },
        'The endpoints could not be queued; the sweep will queue them.',
      );
    });
  }
}
