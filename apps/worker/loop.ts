import { Logger } from '@nestjs/common';

const AFTER_FAILURE_MS = 1_000;

/**
 * Calls `step` over and over: after as many milliseconds as it has said, or when it is woken. A
 * step that fails is logged and tried again after a second.
 */
export class Loop {
  private readonly logger: Logger;
  private readonly running: Promise<void>;
  private stopped = false;
  private woken = false;
  private busy = false;
  private interrupt: () => void = () => undefined;

  /** @param step gives how many milliseconds to wait at most until the next one. */
  constructor(
    private readonly name: string,
    private readonly step: () => Promise<number>,
  ) {
    this.logger = new Logger(name);
    this.running = this.run();
  }

  /** Whether a step is under way. */
  get isBusy(): boolean {
    return this.busy;
  }

  wake(): void {
    this.woken = true;
    this.interrupt();
  }

  wakeIn(milliseconds: number): void {
    setTimeout(() => this.wake(), milliseconds).unref();
  }

  /** Ends when the step that is under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.interrupt();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.woken = false;
      this.busy = true;
      const wait = await this.step().catch((error: unknown) => {
        this.logger.error({ err: error, stage: this.name });
        return AFTER_FAILURE_MS;
      });
      this.busy = false;
      if (wait > 0) await this.pause(wait);
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      // The server of the health checks keeps a worker alive, not the wait for something to do.
      const timer = setTimeout(resolve, milliseconds).unref();
      this.interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
      // What came while the step was under way may have come too late for it.
      if (this.woken || this.stopped) this.interrupt();
    });
  }
}
