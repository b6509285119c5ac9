import { eventually } from '../support/eventually.js';
import { Child } from './child.js';
import { now } from './clock.js';

/** For each notification, the id of its template and its time of arrival in milliseconds of `now`. */
export type Arrivals = [id: string, at: number][];

/** A receiver in a separate process. */
export class ReceiverProcess {
  private constructor(private readonly child: Child) {}

  static async start(): Promise<ReceiverProcess> {
    return new ReceiverProcess(
      await Child.start('test/bench/receiver.js', {}, { health: '/count' }),
    );
  }

  get url(): string {
    return `${this.child.url}/webhooks`;
  }

  get processId(): number {
    return this.child.process.pid ?? NaN;
  }

  /** The URL that never responds. */
  get hangingUrl(): string {
    return `${this.child.url}/hang`;
  }

  /** The URL whose responses are all 500. */
  get failingUrl(): string {
    return `${this.child.url}/fail`;
  }

  /** The URL that sends informational responses without end. */
  get floodingUrl(): string {
    return `${this.child.url}/flood`;
  }

  /** Waits until `count` notifications have arrived, returns them, and forgets them. */
  async take(count: number): Promise<Arrivals> {
    await eventually(
      `${count} notifications`,
      async () => (await this.ask<number>('/count')) >= count,
      {
        timeout: 120_000,
      },
    );
    return this.ask<Arrivals>('/');
  }

  /** Deliveries per second, from the arrival of the first notification until all deliveries are recorded. */
  async deliveriesPerSecond(count: number, areRecorded: () => Promise<boolean>): Promise<number> {
    const arrivals = await this.take(count);
    await eventually('all to be recorded', areRecorded);
    const seconds = (now() - (arrivals[0]?.[1] ?? NaN)) / 1000;
    if (arrivals.length !== count) throw new Error(`${arrivals.length} came of ${count}.`);
    return count / seconds;
  }

  /** Forgets all arrivals so far. */
  async forget(): Promise<void> {
    await this.ask('/');
  }

  stop(): Promise<void> {
    return this.child.stop();
  }

  private async ask<T>(path: string): Promise<T> {
    return (await (await fetch(this.child.url + path)).json()) as T;
  }
}
