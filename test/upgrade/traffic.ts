import { randomUUID } from 'node:crypto';

const WRITERS = 4;

interface Resource {
  id: string;
}

/** Creates, updates, reads and deletes templates and modules all the time, and knows which events to expect. */
export class Traffic {
  /** The APIs that get requests, as a load balancer knows them. */
  urls: string[];
  /** `<event> <id>` of each change that an API confirmed. */
  readonly expectedEvents: string[] = [];
  /** Everything but the success that each request should have. */
  readonly wrongResponses: string[] = [];
  private requests = 0;
  private isRunning = true;
  private readonly running: Promise<unknown>;

  constructor(
    url: string,
    private readonly token: string,
    private readonly workspaceId: string,
  ) {
    this.urls = [url];
    this.running = Promise.all(Array.from({ length: WRITERS }, () => this.write()));
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await this.running;
  }

  private async write(): Promise<void> {
    while (this.isRunning) {
      for (const type of ['template', 'module']) await this.change(type);
    }
  }

  /** Each request goes to the next API, so that both releases see each other's changes. */
  private async change(type: string): Promise<void> {
    const path = `/api/${type}s`;
    const name = randomUUID();
    const created = await this.send('POST', path, {
      name,
      workspaceId: this.workspaceId,
      ...(type === 'module' && { content: {} }),
    });
    if (created === undefined) return;
    this.expectedEvents.push(`${type}.created ${created.id}`);
    const updated = await this.send('PUT', `${path}/${created.id}`, {
      name: `${name}, renamed`,
    });
    if (updated === undefined) return;
    this.expectedEvents.push(`${type}.updated ${created.id}`);
    await this.send('GET', `${path}/${created.id}`);
    await this.send('GET', `${path}?workspaceId=${this.workspaceId}&limit=20`);
    if (type === 'module') {
      await this.send('DELETE', `${path}/${created.id}`);
      this.expectedEvents.push(`${type}.deleted ${created.id}`);
    }
  }

  /** Sends a request once, without a retry. */
  private async send(method: string, path: string, body?: object): Promise<Resource | undefined> {
    const url = `${this.urls[this.requests++ % this.urls.length]}${path}`;
    try {
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) return text === '' ? undefined : (JSON.parse(text) as Resource);
      this.wrongResponses.push(`${method} ${path}: ${response.status} ${text}`);
    } catch (error) {
      this.wrongResponses.push(`${method} ${path}: ${String(error)}`);
    }
    return undefined;
  }
}
