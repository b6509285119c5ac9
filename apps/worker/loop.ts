import { Logger } from '@nestjs/common';

// How late the loop is at most when it was not woken.
const IDLE_MS = 1_000;

/**
 * Calls `step` over and over: at once while it finds work, otherwise when it is woken or after a
 * second. A step that fails is logged and tried again after the same second.
 */
export class Loop {
  private readonly logger: Logger;
  private readonly running: Promise<void>;
  private stopped = false;
  private woken = false;
  private interrupt: () => void = () => undefined;

  /** @param step gives whether there may be more work to do right away. */
  constructor(
    private readonly name: string,
    private readonly step: () => Promise<boolean>,
  ) {
    this.logger = new Logger(name);
    this.running = this.run();
  }

  wake(): void {
    this.woken = true;
    this.interrupt();
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
      const more = await this.step().catch((error: unknown) => {
        this.logger.error({ err: error, stage: this.name });
        return false;
      });
      if (!more) await this.idle();
    }
  }

  private idle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS);
      this.interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
      // What came while the step was under way may have come too late for it.
      if (this.woken || this.stopped) this.interrupt();
    });
  }
}
