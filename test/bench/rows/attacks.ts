import { eventually } from '../../support/eventually.js';
import { ReceiverProcess } from '../arrivals.js';
import { emailDocument } from '../content/documents.js';
import { compare, type Row } from '../figures.js';
import type { Installation, Harness } from '../harness.js';
import { atRate, quantileOf, RATE, sinceCommit } from './latency.js';

const IN_A_WORKSPACE = 1_000;
// The first attempts of a worker are slow, because its code is not compiled and its statements are not
// planned yet. A small attack before the measurement takes these attempts, so that their slowness does not
// count as an effect of the attack.
const WARM_UP_ENDPOINTS = 10;
const CONCURRENT_REQUESTS = 16;

interface Attack {
  name: string;
  endpoints: number;
  events: number;
  /** The URL of an endpoint, by its number. */
  urlOf: (receiver: ReceiverProcess, at: number) => string;
}

const ATTACKS: readonly Attack[] = [
  {
    name: '1,000 endpoints hang',
    endpoints: 1_000,
    events: 10,
    urlOf: (receiver) => receiver.hangingUrl,
  },
  {
    name: '10,000 endpoints hang',
    endpoints: 10_000,
    events: 10,
    urlOf: (receiver) => receiver.hangingUrl,
  },
  {
    name: '11,000 origins that keep connections alive',
    endpoints: 11_000,
    events: 1,
    urlOf: (receiver, at) => receiver.url.replace('127.0.0.1', `receiver-${at}.localhost`),
  },
  {
    name: '10,000 endpoints always fail',
    endpoints: 10_000,
    events: 1,
    urlOf: (receiver) => receiver.failingUrl,
  },
  {
    name: '40 endpoints flood informational responses',
    endpoints: 40,
    events: 10,
    urlOf: (receiver) => receiver.floodingUrl,
  },
];

/**
 * Row 12, one line for each attack: the latency of an endpoint in another workspace. The measurement begins
 * when the attack's events are created. The baseline is the same installation before the attack.
 */
export async function* attackRows(harness: Harness): AsyncGenerator<Row> {
  const only = process.env['BENCH_ATTACK'];
  for (const attack of ATTACKS.filter(({ name }) => only === undefined || name.includes(only))) {
    const quiet: number[] = [];
    const attacked: number[] = [];
    for (let round = 0; round < (harness.scale.quick ? 1 : 3); round++) {
      const victim = await Victim.start(harness);
      const count = RATE * (harness.scale.quick ? 5 : 20);
      const warmUp = { ...attack, endpoints: WARM_UP_ENDPOINTS };
      const warmedUp = await Attackers.start(victim.galley, warmUp);
      await warmedUp.begin();
      const attackers = await Attackers.start(victim.galley, attack);
      await victim.latency(count);
      quiet.push(await victim.latency(count));
      await attackers.begin();
      attacked.push(await victim.latency(count));
      await victim.stop();
      await Promise.all([attackers.stop(), warmedUp.stop()]);
    }
    yield {
      number: `12 (${attack.name})`,
      what: `commit to first byte, p99, while ${attack.name}`,
      baseline: 'before the attack',
      unit: 'ms',
      ...compare(attacked, quiet),
      target: { atMost: 2 },
    };
  }
}

/** A workspace with one endpoint that responds. */
class Victim {
  private constructor(
    readonly galley: Installation,
    private readonly receiver: ReceiverProcess,
  ) {}

  static async start(harness: Harness): Promise<Victim> {
    const receiver = await ReceiverProcess.start();
    const galley = await harness.install({ waitsForDisk: false });
    await galley.client.post('/api/webhooks', {
      workspaceId: galley.workspaceId,
      url: receiver.url,
      events: ['template.created'],
    });
    const workers = Number(process.env['BENCH_WORKERS'] ?? 1);
    for (let at = 0; at < workers; at++) await galley.startWorker();
    return new Victim(galley, receiver);
  }

  async latency(count: number): Promise<number> {
    const { client, workspaceId, database } = this.galley;
    const body = { name: 'Welcome', workspaceId, content: emailDocument(1_000) };
    await atRate(count, () => client.post('/api/templates', body));
    const times = await sinceCommit(database, await this.receiver.take(count));
    return quantileOf(times, 0.99);
  }

  async stop(): Promise<void> {
    await this.galley.stop();
    await this.receiver.stop();
  }
}

class Attackers {
  private constructor(
    private readonly galley: Installation,
    private readonly receiver: ReceiverProcess,
    private readonly workspaces: string[],
    private readonly events: number,
  ) {}

  static async start(
    galley: Installation,
    { endpoints, events, urlOf }: Attack,
  ): Promise<Attackers> {
    const receiver = await ReceiverProcess.start();
    const workspaces: string[] = [];
    for (let at = 0; at < endpoints; at += IN_A_WORKSPACE) {
      const { body } = await galley.client.post<{ id: string }>('/api/workspaces', { name: 'A' });
      workspaces.push(body.id);
    }
    let made = 0;
    const make = async () => {
      for (let at = made++; at < endpoints; at = made++) {
        await galley.client.post('/api/webhooks', {
          workspaceId: workspaces[Math.floor(at / IN_A_WORKSPACE)],
          url: urlOf(receiver, at),
          events: ['module.created'],
        });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, make));
    return new Attackers(galley, receiver, workspaces, events);
  }

  async begin(): Promise<void> {
    for (const workspaceId of this.workspaces) {
      for (let at = 0; at < this.events; at++) {
        const body = { name: 'Footer', workspaceId, content: {} };
        await this.galley.client.post('/api/modules', body);
      }
    }
    await eventually('the first deliveries of the attack', async () => {
      const [row] = await this.galley.database.query<{ count: number }>(
        'SELECT count(*)::integer FROM webhook_deliveries',
      );
      return (row?.count ?? 0) > 0;
    });
  }

  stop(): Promise<void> {
    return this.receiver.stop();
  }
}
