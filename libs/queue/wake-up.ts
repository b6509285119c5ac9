import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { JobQueue } from './job-queue.js';

// A busy API signals at most this often; what a receiver notices of it is lost in its network.
const INTERVAL_MS = 5;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Tells the workers' relay that the outbox has new rows. It is a hint that may be lost without
 * harm, since the relay polls too, so nobody waits for it and many become one.
 */
@Injectable()
export class WakeUp implements BeforeApplicationShutdown {
  private readonly logger = new Logger(WakeUp.name);
  private sending: Promise<void> | undefined;
  private again = false;

  constructor(private readonly jobs: JobQueue) {}

  signal(): void {
    this.again = true;
    this.sending ??= this.send().finally(() => (this.sending = undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sending;
  }

  private async send(): Promise<void> {
    while (this.again) {
      this.again = false;
      let pause = INTERVAL_MS;
      try {
        await this.jobs.signalRelay();
      } catch (error) {
        pause = PAUSE_AFTER_FAILURE_MS;
        this.logger.warn(
          { err: error, stage: 'wake-up' },
          'The relay was not woken; it will poll.',
        );
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
