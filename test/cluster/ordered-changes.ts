import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 250;
const RETRY_PAUSE_MS = 100;
const REQUEST_TIMEOUT_MS = 60_000;

interface Change {
  method: 'POST' | 'PUT';
  path: string;
  body: object;
}

/** Changes a few templates again and again, and receives their events at an ordered webhook. */
export class OrderedChanges {
  /** Events that arrived before an earlier one of the same resource. */
  readonly outOfOrder: string[] = [];
  private readonly latest = new Map<string, number>();
  private isRunning = true;
  private running: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    private readonly apiUrl: string,
    private readonly token: string,
    private readonly workspaceId: string,
  ) {}

  static async start(options: {
    apiUrl: string;
    token: string;
    workspaceId: string;
    resources: number;
  }): Promise<OrderedChanges> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { apiUrl, token, workspaceId } = options;
    const changes = new OrderedChanges(server, apiUrl, token, workspaceId);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
          data: { id: string };
        };
        changes.receive(data.id, Number(request.headers['x-service-sequence']));
        response.writeHead(204).end();
      });
    });
    const { port } = server.address() as AddressInfo;
    await changes.send({
      method: 'POST',
      path: '/api/webhooks',
      body: {
        workspaceId,
        url: `http://127.0.0.1:${port}/`,
        events: ['template.updated', 'template.created'],
        ordered: true,
      },
    });
    changes.running = Promise.all(
      Array.from({ length: options.resources }, () => changes.change()),
    );
    return changes;
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await this.running;
  }

  /** The greatest sequence that has arrived, by resource. */
  get arrived(): ReadonlyMap<string, number> {
    return this.latest;
  }

  async close(): Promise<void> {
    await this.stop();
    this.server.close();
    this.server.closeAllConnections();
  }

  private receive(id: string, sequence: number): void {
    const latest = this.latest.get(id) ?? 0;
    // An event that arrives again is no news.
    if (sequence > latest + 1) this.outOfOrder.push(`${id}: ${sequence} after ${latest}`);
    this.latest.set(id, Math.max(latest, sequence));
  }

  private async change(): Promise<void> {
    const { workspaceId } = this;
    const id = await this.send({
      method: 'POST',
      path: '/api/templates',
      body: { name: 'Ordered', workspaceId },
    });
    while (this.isRunning) {
      await this.send({
        method: 'PUT',
        path: `/api/templates/${id}`,
        body: { name: randomUUID() },
      });
      await delay(PAUSE_MS);
    }
  }

  /** Sends a change until it succeeds, and returns the id of the resource. */
  private async send({ method, path, body }: Change): Promise<string> {
    const key = randomUUID();
    for (;;) {
      const response = await fetch(`${this.apiUrl}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${this.token}`,
          ...(method === 'POST' && { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      }).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (response?.ok && text !== undefined) return (JSON.parse(text) as { id: string }).id;
      if (response !== undefined && ![409, 429, 503].includes(response.status)) {
        throw new Error(`${method} ${path}: ${response.status} ${text}`);
      }
      await delay(RETRY_PAUSE_MS);
    }
  }
}
