import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { settledWithin } from '#shutdown';
import { JobQueue } from './job-queue.js';

// However busy it is, an API sends at most one signal in this interval. The delay that this adds is shorter than the
// network latency to a receiver.
const MIN_SIGNAL_INTERVAL_MS = 5;
const PAUSE_AFTER_FAILURE_MS = 1_000;
// A lost signal delays an event by a second at most, so a shutdown does not wait longer for the last signal.
const LAST_SIGNAL_MS = 1_000;

/**
 * Tells the workers' relay that the outbox has new rows. The signal is a hint that may be lost, because the
 * relay also polls. So no request waits for the signal, and many signals are sent as one.
 */
@Injectable()
export class WakeUp implements BeforeApplicationShutdown {
  private sending: Promise<void> | undefined;
  private isSignalPending = false;

  constructor(private readonly jobs: JobQueue) {}

  signal(): void {
    this.isSignalPending = true;
    this.sending ??= this.send().finally(() => (this.sending = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await settledWithin(LAST_SIGNAL_MS, this.sending);
  }

  private async send(): Promise<void> {
    while (this.isSignalPending) {
      this.isSignalPending = false;
      let pauseMs = MIN_SIGNAL_INTERVAL_MS;
      try {
        await this.jobs.signal();
      } catch (error) {
        pauseMs = PAUSE_AFTER_FAILURE_MS;
        this.jobs.logError(error);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
