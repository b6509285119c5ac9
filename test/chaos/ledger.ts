import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

interface Receipt {
  /** How often each event arrived, by `webhook-id`. */
  readonly events: Map<string, number>;
}

/**
 * Knows what was promised and what arrived. Writers tell it what was committed and what was rolled back; its
 * receivers, one for each endpoint, see what arrives.
 */
export class Ledger {
  private readonly receivers: { server: Server; port: number; receipt: Receipt }[] = [];
  /** The time of each promised event, by the id of the event or, for changes through the API, of the resource. */
  private readonly promised = new Map<string, number>();
  private readonly rolledBack = new Set<string>();
  /** Promised events that have not arrived at all endpoints, with the number of endpoints that lack them. */
  private readonly missing = new Map<string, number>();
  /** Events that arrived before their writer knew that they are committed, with how often. */
  private readonly early = new Map<string, number>();
  /** Resource ids of all arrived events. */
  readonly arrivedResources = new Set<string>();
  arrived = 0;
  duplicates = 0;

  static async start(endpoints: number): Promise<Ledger> {
    const ledger = new Ledger();
    for (let each = 0; each < endpoints; each++) {
      const receiver = { server: createServer(), port: 0, receipt: { events: new Map() } };
      receiver.server.on('request', (request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          ledger.record(receiver.receipt, String(request.headers['webhook-id']), chunks);
          response.writeHead(204).end();
        });
      });
      ledger.receivers.push(receiver);
    }
    await ledger.connectReceivers();
    return ledger;
  }

  get urls(): string[] {
    return this.receivers.map(({ port }) => `http://127.0.0.1:${port}/`);
  }

  get promisedDeliveries(): number {
    return this.promised.size * this.receivers.length;
  }

  get backlog(): number {
    return [...this.missing.values()].reduce((sum, endpoints) => sum + endpoints, 0);
  }

  /** Whether all events that were promised until this time, in milliseconds, have arrived everywhere. */
  hasAllUntil(time: number): boolean {
    return [...this.missing.keys()].every((id) => (this.promised.get(id) ?? 0) > time);
  }

  /** Some ids of promised events that have not arrived everywhere. */
  get firstMissing(): string[] {
    return [...this.missing.keys()].slice(0, 5);
  }

  promise(id: string): void {
    this.promised.set(id, Date.now());
    const missing = this.receivers.length - (this.early.get(id) ?? 0);
    this.early.delete(id);
    if (missing > 0) this.missing.set(id, missing);
  }

  rollBack(id: string): void {
    this.rolledBack.add(id);
  }

  /** Events that were rolled back and arrived nevertheless. */
  get arrivedRolledBack(): string[] {
    return this.receivers.flatMap(({ receipt }) =>
      [...receipt.events.keys()].filter((id) => this.rolledBack.has(id)),
    );
  }

  get counts() {
    return { promised: this.promised.size, rolledBack: this.rolledBack.size };
  }

  /** Closes the connections of all receivers, and refuses new ones. */
  async cutReceivers(): Promise<void> {
    for (const { server } of this.receivers) {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    }
  }

  async connectReceivers(): Promise<void> {
    for (const receiver of this.receivers) {
      receiver.server.listen(receiver.port, '127.0.0.1');
      await once(receiver.server, 'listening');
      receiver.port = (receiver.server.address() as AddressInfo).port;
    }
  }

  private record({ events }: Receipt, eventId: string, chunks: Buffer[]): void {
    const times = (events.get(eventId) ?? 0) + 1;
    events.set(eventId, times);
    if (times > 1) {
      this.duplicates++;
      return;
    }
    this.arrived++;
    const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      data: { id?: string };
    };
    if (data.id !== undefined) this.arrivedResources.add(data.id);
    const id = data.id ?? eventId;
    const missing = this.missing.get(id);
    if (missing === undefined) {
      if (!this.promised.has(id)) this.early.set(id, (this.early.get(id) ?? 0) + 1);
    } else if (missing === 1) this.missing.delete(id);
    else this.missing.set(id, missing - 1);
  }
}
