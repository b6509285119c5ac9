import type { Client } from '../api/client.js';
import { eventually } from '../eventually.js';
import { createResource } from '../galley/resources.js';
import type { Receiver } from './receiver.js';
import type { Payload } from './subscriptions.js';

/** Templates that are created during failovers. The receiver gets a notification of each. */
export class NotifiedTemplates {
  private readonly ids: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly workspaceId: string,
    private readonly receiver: Receiver,
  ) {}

  get count(): number {
    return this.ids.length;
  }

  get undelivered(): string[] {
    const delivered = new Set(
      this.receiver.received.map(({ body }) => (JSON.parse(body) as Payload).data['id']),
    );
    return this.ids.filter((id) => !delivered.has(id));
  }

  async create(): Promise<void> {
    const template = { name: String(this.count), workspaceId: this.workspaceId };
    this.ids.push(await createResource(this.client, '/api/templates', template));
  }

  createUntil(what: string, condition: () => boolean | Promise<boolean>): Promise<boolean> {
    return eventually(what, async () => {
      await this.create();
      return condition();
    });
  }

  waitUntilDelivered(): Promise<boolean> {
    return eventually('all deliveries', () => this.undelivered.length === 0);
  }
}
