import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import { ReceiverProcess } from '../arrivals.js';
import { emailDocument } from '../content/documents.js';
import { sendRequests, type Load } from '../load.js';
import type { Child } from '../child.js';
import type { Harness, Installation } from '../harness.js';

/** The numbers of webhooks that match a create, each with workspaces of its own. */
export const FAN_OUTS = [0, 1, 4] as const;
export type FanOut = (typeof FAN_OUTS)[number];

// Events are relayed workspace by workspace, and an API bounds the share of each user. Real load comes from
// many of both.
const WORKSPACES = 8;
const DOCUMENT_BYTES = 1_000;
// For each API. No request waits for a slot, so a busy machine makes the API slow and not unavailable.
const CONNECTIONS = 8;
// A query looks whether all is recorded. It costs PostgreSQL time, so it is not sent more often.
const POLL_MS = 100;

/** Galley with a growing number of APIs and workers, and workspaces with 0, 1 and 4 webhooks. */
export class GrowingInstallation {
  readonly apis: Child[];
  readonly workers: Child[] = [];

  private constructor(
    readonly galley: Installation,
    readonly receiver: ReceiverProcess,
    private readonly rotations: ReadonlyMap<FanOut, Load['rotation']>,
  ) {
    this.apis = galley.processes.slice(0, 1);
  }

  /** Starts one API and one worker. */
  static async start(harness: Harness): Promise<GrowingInstallation> {
    const receiver = await ReceiverProcess.start();
    const galley = await harness.install({ logsRequests: true });
    await galley.database.query('CREATE EXTENSION pg_stat_statements');
    const rotations = new Map<FanOut, Load['rotation']>();
    for (const fanOut of FAN_OUTS)
      rotations.set(fanOut, await rotationOf(galley, receiver, fanOut));
    const installation = new GrowingInstallation(galley, receiver, rotations);
    installation.workers.push(await galley.startWorker());
    return installation;
  }

  /** Starts one more API and one more worker. */
  async grow(): Promise<void> {
    const [api, worker] = await Promise.all([this.galley.startApi(), this.galley.startWorker()]);
    this.apis.push(api);
    this.workers.push(worker);
  }

  /** Creates templates through all APIs, as fast as they respond or at `overallRate` a second in all. */
  async create(fanOut: FanOut, count: number, overallRate?: number): Promise<void> {
    const rotation = this.rotations.get(fanOut) ?? [];
    const share = count / this.apis.length;
    await Promise.all(
      this.apis.map(({ url }) =>
        sendRequests({ url: `${url}/api/templates`, method: 'POST', rotation }, share, {
          connections: CONNECTIONS,
          ...(overallRate !== undefined && { overallRate: overallRate / this.apis.length }),
        }),
      ),
    );
  }

  /** Waits until as many notifications have arrived, and everything is recorded. */
  async drain(deliveries: number): Promise<void> {
    await this.receiver.take(deliveries);
    await eventually('everything to be recorded', async () => {
      const [row] = await this.galley.database.query<{ open: boolean }>(
        `SELECT EXISTS (SELECT FROM outbox) OR EXISTS (SELECT FROM webhook_deliveries) AS open`,
      );
      if (row?.open === true) await delay(POLL_MS);
      return row?.open === false;
    });
  }

  /** Stops the workers where they are, so that events wait in the outbox. */
  pauseWorkers(): void {
    for (const { process } of this.workers) process.kill('SIGSTOP');
  }

  resumeWorkers(): void {
    for (const { process } of this.workers) process.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.galley.stop();
    await this.receiver.stop();
  }
}

/** Creates workspaces with as many webhooks. @returns the requests that create a template in each. */
async function rotationOf(
  galley: Installation,
  receiver: ReceiverProcess,
  fanOut: FanOut,
): Promise<Load['rotation']> {
  const requests: Required<Pick<Load, 'body' | 'token'>>[] = [];
  for (let number = 0; number < WORKSPACES; number++) {
    const client = await galley.as(`user-${fanOut}-${number}`);
    const { body } = await client.post<{ id: string }>('/api/workspaces', { name: 'Scale' });
    for (let webhook = 0; webhook < fanOut; webhook++) {
      await client.post('/api/webhooks', {
        workspaceId: body.id,
        url: `${receiver.url}/${webhook}`,
        events: ['template.created'],
      });
    }
    requests.push({
      token: client.token ?? '',
      body: JSON.stringify({
        name: 'Welcome',
        workspaceId: body.id,
        content: emailDocument(DOCUMENT_BYTES, requests.length),
      }),
    });
  }
  return requests;
}
