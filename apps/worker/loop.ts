import { Logger } from '@nestjs/common';

const FAILURE_PAUSE_MS = 1_000;

/** How many steps have failed in this process, by the name of their loop. */
export const failuresByLoop = new Map<string, number>();

/**
 * Calls `step` repeatedly: after the pause that the last step has returned, or when the loop is woken. A
 * step that fails is logged and tried again after a second.
 */
export class Loop {
  private readonly logger: Logger;
  private readonly running: Promise<void>;
  private isStopped = false;
  private isWoken = false;
  private isRunningStep = false;
  private interrupt: () => void = () => undefined;

  /**
   * @param step returns the milliseconds until the next step. `wake` ends this pause early, and is the only
   * way to end a pause of Infinity while the loop runs.
   */
  constructor(
    private readonly name: string,
    private readonly step: () => Promise<number>,
  ) {
    this.logger = new Logger(name);
    failuresByLoop.set(name, failuresByLoop.get(name) ?? 0);
    this.running = this.run();
  }

  get isBusy(): boolean {
    return this.isRunningStep;
  }

  wake(): void {
    this.isWoken = true;
    this.interrupt();
  }

  wakeIn(milliseconds: number): void {
    setTimeout(() => this.wake(), milliseconds).unref();
  }

  /** Resolves when the running step has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.interrupt();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      this.isWoken = false;
      this.isRunningStep = true;
      const waitMs = await this.step().catch((error: unknown) => {
        failuresByLoop.set(this.name, (failuresByLoop.get(this.name) ?? 0) + 1);
        this.logger.error({ err: error, stage: this.name });
        return FAILURE_PAUSE_MS;
      });
      this.isRunningStep = false;
      if (waitMs > 0) await this.pause(waitMs);
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      // The HTTP server keeps the process alive, not this timer.
      const timer =
        milliseconds === Infinity ? undefined : setTimeout(resolve, milliseconds).unref();
      this.interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
      // The step that has just ended may have missed the reason for the wake-up.
      if (this.isWoken || this.isStopped) this.interrupt();
    });
  }
}
