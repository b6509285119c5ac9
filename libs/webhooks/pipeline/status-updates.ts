import { Injectable, Logger } from '@nestjs/common';
import type { AttemptResult, EndpointUpdate } from './attempt-recorder.js';
import type { ClaimedDelivery } from './claims.js';
import { EndpointLifecycle } from '../endpoints/endpoint-lifecycle.js';

const HTTP_GONE = 410;

type CausingAttempt = Pick<ClaimedDelivery, 'endpointId' | 'url'> &
  Pick<AttemptResult, 'statusCode' | 'error' | 'startedAt'>;

/**
 * Updates the status of endpoints after attempts, one endpoint at a time. The updates therefore use at most one
 * database connection. Even if a thousand endpoints fail at the same time, claiming and recording need not wait for a
 * connection.
 */
@Injectable()
export class StatusUpdates {
  private readonly logger = new Logger(StatusUpdates.name);
  private pendingUpdates: Promise<void> = Promise.resolve();

  constructor(private readonly lifecycle: EndpointLifecycle) {}

  add(attempt: CausingAttempt, update: EndpointUpdate | undefined): void {
    if (attempt.statusCode !== HTTP_GONE && !update?.newStatus) return;
    this.pendingUpdates = this.pendingUpdates
      .then(() => this.apply(attempt, update))
      .catch((error: unknown) =>
        this.logger.error({ err: error, stage: 'endpoint status', endpointId: attempt.endpointId }),
      );
  }

  /** Resolves when all updates added so far have been applied. */
  async flush(): Promise<void> {
    await this.pendingUpdates;
  }

  private async apply(
    { endpointId, url, statusCode, error, startedAt }: CausingAttempt,
    update: EndpointUpdate | undefined,
  ): Promise<void> {
    const lastErrorText = `Last error: ${error ?? ''}.`;
    if (statusCode === HTTP_GONE) {
      const reason = 'The receiver responded with 410 Gone.';
      await this.lifecycle.disableAfterGone(endpointId, { url, startedAt }, reason);
    } else if (update?.newStatus === 'active') {
      await this.lifecycle.setStatus(endpointId, 'active', ['failing'], 'An attempt succeeded.');
    } else if (update?.newStatus === 'failing') {
      const reason = `${update.consecutiveFailures} consecutive attempts have failed. ${lastErrorText}`;
      await this.lifecycle.setStatus(endpointId, 'failing', ['active'], reason);
    } else if (update?.newStatus === 'disabled') {
      const since = update.failingSince.toISOString();
      const reason = `No attempt has succeeded since ${since}. ${lastErrorText}`;
      await this.lifecycle.setStatus(endpointId, 'disabled', ['active', 'failing'], reason);
    }
  }
}
