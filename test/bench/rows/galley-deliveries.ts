import { ReceiverProcess } from '../arrivals.js';
import type { Installation, Queue, Harness } from '../harness.js';

/** Galley with workers and one endpoint that receives all events. */
export class GalleyDeliveries {
  private constructor(
    readonly galley: Installation,
    readonly receiver: ReceiverProcess,
  ) {}

  static async start(
    harness: Harness,
    queue: Queue,
    {
      workers = 1,
      waitsForDisk = true,
      environment = {},
    }: { workers?: number; waitsForDisk?: boolean; environment?: Record<string, string> } = {},
  ): Promise<GalleyDeliveries> {
    const receiver = await ReceiverProcess.start();
    const galley = await harness.install({ queue, waitsForDisk, environment });
    await galley.client.post('/api/webhooks', {
      workspaceId: galley.workspaceId,
      url: receiver.url,
      events: ['template.created'],
    });
    await Promise.all(Array.from({ length: workers }, () => galley.startWorker()));
    return new GalleyDeliveries(galley, receiver);
  }

  /** Deliveries per second, from the arrival of the first notification until all deliveries are recorded. */
  async perSecond(count: number): Promise<number> {
    const { database, workspaceId } = this.galley;
    await database.query(
      `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
       SELECT uuidv7(), 'template.created', $1::uuid, id, 1,
         json_build_object('id', id, 'name', 'Welcome', 'workspaceId', $1::uuid, 'version', 1)
       FROM (SELECT uuidv7() AS id FROM generate_series(1, $2::integer)) template`,
      [workspaceId, count],
    );
    return this.receiver.deliveriesPerSecond(count, async () => {
      const [row] = await database.query<{ open: boolean }>(
        'SELECT EXISTS (SELECT FROM webhook_deliveries) AS open',
      );
      return row?.open === false;
    });
  }

  async stop(): Promise<void> {
    await this.galley.stop();
    await this.receiver.stop();
  }
}
