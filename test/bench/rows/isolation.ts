import { eventually } from '../../support/eventually.js';
import { emailDocument } from '../content/documents.js';
import { compare, interleave, type Row } from '../figures.js';
import { ReceiverProcess } from '../arrivals.js';
import type { Installation, Harness } from '../harness.js';
import { atRate, quantileOf, RATE, sinceCommit } from './latency.js';

const ENDPOINTS = 100;
const HEALTHY = 80;
const HANGING = ENDPOINTS - HEALTHY;

/**
 * The two rows 12: the latency and the rate of deliveries to healthy endpoints while a fifth of all
 * endpoints hang. Each endpoint has its own workspace. Both sides measure the same eighty endpoints, which
 * are healthy on both.
 */
export async function* isolationRows(harness: Harness): AsyncGenerator<Row> {
  const ill = await Side.start(harness, true);
  const well = await Side.start(harness, false);
  const count = RATE * (harness.scale.quick ? 2 : 10);
  const latencies = await interleave(harness.scale.rounds, {
    ill: () => ill.latency(count),
    well: () => well.latency(count),
  });
  yield {
    number: '12 (p99)',
    what: `commit to first byte, p99, ${HANGING} of ${ENDPOINTS} endpoints hang`,
    baseline: 'all are healthy',
    unit: 'ms',
    ...compare(latencies.ill, latencies.well),
    target: { atMost: 2 },
  };
  const rates = await interleave(harness.scale.rounds, {
    ill: () => ill.perSecond(harness.scale.quick ? 20 : 100),
    well: () => well.perSecond(harness.scale.quick ? 20 : 100),
  });
  yield {
    number: '12 (rate)',
    what: `deliver, ${HANGING} of ${ENDPOINTS} endpoints hang`,
    baseline: 'all are healthy',
    unit: 'deliveries/s',
    ...compare(rates.ill, rates.well),
    target: { atLeast: 0.9 },
  };
  await Promise.all([ill.stop(), well.stop()]);
}

class Side {
  private constructor(
    private readonly galley: Installation,
    private readonly receiver: ReceiverProcess,
    /** The receiver of the last twenty endpoints, whose deliveries are not measured. */
    private readonly others: ReceiverProcess,
    private readonly workspaces: string[],
  ) {}

  /** @param othersHang whether the last twenty endpoints never respond. */
  static async start(harness: Harness, othersHang: boolean): Promise<Side> {
    const receiver = await ReceiverProcess.start();
    const others = await ReceiverProcess.start();
    const galley = await harness.install({ waitsForDisk: false });
    const workspaces: string[] = [];
    for (let each = 0; each < ENDPOINTS; each++) {
      const { body } = await galley.client.post<{ id: string }>('/api/workspaces', { name: 'One' });
      await galley.client.post('/api/webhooks', {
        workspaceId: body.id,
        url: each < HEALTHY ? receiver.url : othersHang ? others.hangingUrl : others.url,
        events: ['template.created'],
      });
      workspaces.push(body.id);
    }
    await galley.startWorker();
    return new Side(galley, receiver, others, workspaces);
  }

  /** Creates templates in all workspaces in turn, and returns the p99 latency of the healthy endpoints. */
  async latency(count: number): Promise<number> {
    let made = 0;
    await atRate(count, () =>
      this.galley.client.post('/api/templates', {
        name: 'Welcome',
        content: emailDocument(1_000),
        workspaceId: this.workspaces[made++ % ENDPOINTS],
      }),
    );
    const arrivals = await this.receiver.take((count / ENDPOINTS) * HEALTHY);
    await this.isCalm();
    return quantileOf(await sinceCommit(this.galley.database, arrivals), 0.99);
  }

  /** Fills the outbox, and returns how many notifications per second the healthy endpoints receive. */
  async perSecond(events: number): Promise<number> {
    await this.galley.database.query(
      `INSERT INTO outbox (id, kind, workspace_id, resource_id, sequence, data)
       SELECT uuidv7(), 'template.created', workspace_id, uuidv7(), 1,
         json_build_object('id', uuidv7(), 'name', 'Welcome', 'workspaceId', workspace_id, 'version', 1)
       FROM unnest($1::uuid[]) workspace_id, generate_series(1, $2::integer)`,
      [this.workspaces, events],
    );
    const arrivals = await this.receiver.take(events * HEALTHY);
    await this.isCalm();
    const times = arrivals.map(([, at]) => at);
    return (arrivals.length / (Math.max(...times) - Math.min(...times))) * 1_000;
  }

  async stop(): Promise<void> {
    await this.galley.stop();
    await Promise.all([this.receiver.stop(), this.others.stop()]);
  }

  /** Waits until only deliveries to hanging endpoints are left. */
  private async isCalm(): Promise<void> {
    await eventually('all but the hanging ones to be done', async () => {
      const [row] = await this.galley.database.query<{ open: boolean }>(
        `SELECT EXISTS (
           SELECT FROM webhook_deliveries JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
           WHERE url <> $1
         ) AS open`,
        [this.others.hangingUrl],
      );
      return row?.open === false;
    });
  }
}
