import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createWorkspace } from '#client';
import { Client } from '../api/client.js';
import { eventually } from '../eventually.js';
import { createDatabase, type TestDatabase } from '../galley/database.js';
import { AUDIENCE, Issuer } from '../identity/issuer.js';
import { Receiver } from '../webhooks/receiver.js';
import { subscribe } from '../webhooks/subscriptions.js';
import { RestartableProgram } from './galley-programs.js';

const PRELOAD = new URL('short-key-times.js', import.meta.url).href;

export const randomKey = () => randomBytes(32).toString('base64');

interface Readiness {
  status: number;
  /** Why the program is not ready. */
  message?: string;
}

/** Two APIs and two workers, each in a process of its own, with traffic that never pauses. */
export class KeyFleet {
  readonly wrongResponses: string[] = [];
  /** Messages of programs that run and are not ready. */
  readonly problems: string[] = [];
  changes = 0;
  workspaceId = '';
  webhookId = '';
  /** Programs that get requests. */
  private readonly serving = new Set<RestartableProgram>();
  /** Programs that have not responded yet. */
  private readonly busy = new Set<RestartableProgram>();
  private isStopped = false;
  private traffic: Promise<unknown> | undefined;

  private constructor(
    readonly database: TestDatabase,
    readonly apis: readonly RestartableProgram[],
    readonly workers: readonly RestartableProgram[],
    readonly receiver: Receiver,
    private readonly issuer: Issuer,
    private readonly environment: Record<string, string>,
  ) {}

  static async prepare(): Promise<KeyFleet> {
    const prepare = (name: 'api' | 'worker') => RestartableProgram.prepare(name, PRELOAD);
    const [database, issuer, receiver] = await Promise.all([
      createDatabase(),
      Issuer.start(),
      Receiver.start(),
    ]);
    // One after the other, so that no two programs choose the same port.
    const apis = [await prepare('api'), await prepare('api')];
    const workers = [await prepare('worker'), await prepare('worker')];
    return new KeyFleet(database, apis, workers, receiver, issuer, {
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      NODE_OPTIONS: '',
      HOST: '127.0.0.1',
      DATABASE_URL: database.pooledUrl,
      DATABASE_DIRECT_URL: database.url,
      DATABASE_POOL_SIZE: '5',
      REDIS_URL: process.env['REDIS_URL'] ?? '',
      QUEUE_PREFIX: `galley-test-${randomUUID()}`,
      AUTH_ISSUER: issuer.url,
      AUTH_AUDIENCE: AUDIENCE,
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
      RATE_LIMIT_ADDRESS: '0',
      RATE_LIMIT_USER: '0',
    });
  }

  get programs(): readonly RestartableProgram[] {
    return [...this.apis, ...this.workers];
  }

  /** Starts a program that need not become ready. */
  async start(program: RestartableProgram, keys: readonly string[]): Promise<void> {
    await program.start({ ...this.environment, SECRETS_KEYS: keys.join(',') });
  }

  /** Starts a program, and sends it requests as soon as it is ready. */
  async startReady(program: RestartableProgram, keys: readonly string[]): Promise<void> {
    await this.start(program, keys);
    await eventually('the program to be ready', async () => {
      return (await this.readinessOf(program)).status === 200;
    });
    this.serving.add(program);
  }

  async startAll(keys: readonly string[]): Promise<void> {
    await Promise.all(this.programs.map((program) => this.startReady(program, keys)));
  }

  async restart(program: RestartableProgram, keys: readonly string[]): Promise<void> {
    await this.pauseWatching(program);
    await program.stop();
    await this.startReady(program, keys);
  }

  /** Sends a program no more requests, as a load balancer does before a restart. */
  async pauseWatching(program: RestartableProgram): Promise<void> {
    this.serving.delete(program);
    await eventually('the last response', () => !this.busy.has(program));
  }

  async readinessOf(program: RestartableProgram): Promise<Readiness> {
    const response = await fetch(`${program.url}/health/ready`);
    const { message } = (await response.json()) as { message?: string };
    return { status: response.status, ...(message !== undefined && { message }) };
  }

  async clientOf(api: RestartableProgram): Promise<Client> {
    return new Client(api.url, await this.issuer.token('ada'));
  }

  /**
   * Creates a webhook with headers and an earlier secret.
   * @returns the secrets that sign.
   */
  async createWebhook(): Promise<string[]> {
    const [api] = this.apis;
    if (api === undefined) throw new Error('There is no API.');
    const client = await this.clientOf(api);
    const { data: workspace } = await createWorkspace({
      client: client.generated,
      body: { name: 'Kitchen' },
    });
    const { id, secret } = await subscribe(client, workspace.id, this.receiver);
    const rotated = await client.post<{ secret: string }>(`/api/webhooks/${id}/secret/rotate`);
    await client.put(`/api/webhooks/${id}`, { headers: { Authorization: 'Bearer sesame' } });
    Object.assign(this, { workspaceId: workspace.id, webhookId: id });
    return [secret, rotated.body.secret];
  }

  /** Begins to change things through every API that serves, and to watch the readiness of all programs. */
  async beginTraffic(): Promise<string[]> {
    const secrets = await this.createWebhook();
    this.traffic = Promise.all([
      ...this.apis.map((api) => this.change(api)),
      ...this.workers.map((worker) => this.watch(worker)),
    ]);
    return secrets;
  }

  async moreChanges(): Promise<void> {
    const count = this.changes + 20;
    await eventually('more changes', () => this.changes >= count);
  }

  async endTraffic(): Promise<void> {
    this.isStopped = true;
    await this.traffic;
  }

  /** What PostgreSQL knows of each key, by the id of the key. */
  async keyStates(): Promise<Record<string, { state: string; webhooks: number }>> {
    const rows = await this.database.query<{ id: string; state: string; webhooks: number }>(
      'SELECT id, state, webhooks FROM encryption_keys',
    );
    return Object.fromEntries(rows.map(({ id, ...row }) => [id, row]));
  }

  async stop(): Promise<void> {
    await this.endTraffic();
    for (const program of this.programs) {
      program.signal('SIGCONT');
      await program.kill();
    }
    await this.receiver.stop();
    await this.issuer.stop();
    await this.database.drop();
  }

  private async change(api: RestartableProgram): Promise<void> {
    const client = await this.clientOf(api);
    await this.whileServing(api, async () => {
      const keyed = client.with({ 'idempotency-key': randomUUID() });
      const module = { workspaceId: this.workspaceId, name: 'Footer', content: {} };
      const responses = [
        await keyed.post('/api/modules', module).catch(String),
        await client.get(`/api/webhooks/${this.webhookId}/secret`).catch(String),
      ];
      for (const response of responses) {
        const isWrong = typeof response === 'string' || response.status >= 300;
        if (isWrong) this.wrongResponses.push(JSON.stringify(response));
      }
      await this.noteProblem(api);
      this.changes++;
    });
  }

  private watch(worker: RestartableProgram): Promise<void> {
    return this.whileServing(worker, () => this.noteProblem(worker));
  }

  private async noteProblem(program: RestartableProgram): Promise<void> {
    const { status, message } = await this.readinessOf(program);
    if (status !== 200) this.problems.push(`${program.url}: ${message}`);
  }

  private async whileServing(program: RestartableProgram, act: () => Promise<void>): Promise<void> {
    while (!this.isStopped) {
      if (this.serving.has(program)) {
        this.busy.add(program);
        await act().catch((error: unknown) => this.problems.push(String(error)));
        this.busy.delete(program);
      }
      await delay(10);
    }
  }
}
