const FAILURE_PAUSE_MS = 1_000;

interface LoopOptions {
  /** The first step waits until this promise resolves. */
  after?: Promise<unknown>;
  onFailure: (error: unknown) => void;
}

/**
 * Calls `step` repeatedly. After each step, the loop pauses for the time that the step has returned, or until it is
 * woken. A failed step is retried after a second.
 */
export class Loop {
  private readonly running: Promise<void>;
  private readonly stopping = Promise.withResolvers<undefined>();
  private isStopped = false;
  private isWoken = false;
  private isRunningStep = false;
  private interrupt: () => void = () => undefined;

  /**
   * @param step returns the milliseconds until the next step. `wake` ends this pause early, and is the only
   * way to end a pause of Infinity while the loop runs.
   */
  constructor(
    private readonly step: () => Promise<number>,
    private readonly options: LoopOptions,
  ) {
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

  /** Stops the loop, and resolves once the current step has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.stopping.resolve(undefined);
    this.interrupt();
    await this.running;
  }

  private async run(): Promise<void> {
    await Promise.race([this.options.after, this.stopping.promise]);
    while (!this.isStopped) {
      this.isWoken = false;
      this.isRunningStep = true;
      const waitMs = await this.step().catch((error: unknown) => {
        this.options.onFailure(error);
        return FAILURE_PAUSE_MS;
      });
      this.isRunningStep = false;
      if (waitMs > 0) await this.pause(waitMs);
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      // The timer need not keep the process alive, because the HTTP server does.
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
