import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface WatchedRequest {
  path: string;
  /** The body of a POST; without one, the request is a GET. */
  body?: object;
}

export interface WatchedCallerOptions {
  url: string;
  token: string;
  requests: readonly WatchedRequest[];
}

export interface Observations {
  statuses: number[];
  /** How long each request took. Sorted. */
  waitsMs: number[];
  /** Why the caller has ended early. */
  failure: string | undefined;
}

/**
 * A caller in a thread of its own, which sends all requests at once, again and again. So its waits are those of the
 * API, and not those of a test that sends megabytes.
 */
export class WatchedCaller {
  private constructor(private readonly thread: Worker) {}

  static async start(options: WatchedCallerOptions): Promise<WatchedCaller> {
    const thread = new Worker(new URL('watched-caller.thread.ts', import.meta.url), {
      workerData: options,
    });
    await once(thread, 'message');
    return new WatchedCaller(thread);
  }

  async stop(): Promise<Observations> {
    const observations = once(this.thread, 'message') as Promise<[Observations]>;
    this.thread.postMessage('stop');
    return (await observations)[0];
  }
}
