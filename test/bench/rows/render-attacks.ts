import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Client } from '../../support/api/client.js';
import { compare, type Row } from '../figures.js';
import type { Harness, Installation } from '../harness.js';
import type { AttackerRenders } from '../attackers/renders.js';
import { atRate as startAtRate, quantileOf } from './latency.js';

const ATTACKERS = 12;
// A render for the first time takes some 5 ms of a processor, of which the machine of the benchmark has two.
const RATE = 25;
const WARM_UP_COUNT = 4 * RATE;

/** Documents of a megabyte, as dear as the limits allow, and some that the limits refuse. */
const ATTACKS = [
  { name: 'lists nested 9,999 deep', texts: { begins: '', repeats: '<ul><li>' } },
  { name: 'lists of short entries', texts: { begins: '<ul>', repeats: '<li><b>a</b></li>' } },
] as const;

/** Row 24: the latency of another tenant's renders, while the API keys of one workspace render large documents. */
export async function* renderAttackRows(harness: Harness): AsyncGenerator<Row> {
  for (const { name, texts } of ATTACKS) {
    const figures = { uncached: side(), cached: side() };
    const rounds = harness.scale.quick ? 1 : 3;
    const count = RATE * (harness.scale.quick ? 4 : 10);
    for (let round = 0; round < rounds; round++) {
      const galley = await harness.install({ waitsForDisk: false });
      const keys = await createKeys(galley);
      const victim = await Victim.create(await galley.as('victim'));
      for (const kind of ['uncached', 'cached'] as const) await atRate(RATE, () => victim[kind]());
      // Neither side should run code that is not compiled yet.
      const renders = { url: `${galley.url}/api/render`, keys, texts };
      const warmUp = attack(renders);
      await atRate(WARM_UP_COUNT, () => victim.cached());
      await warmUp();
      for (const kind of ['uncached', 'cached'] as const) {
        figures[kind].quiet.push(quantileOf(await atRate(count, () => victim[kind]()), 0.99));
      }
      const stop = attack(renders);
      for (const kind of ['uncached', 'cached'] as const) {
        figures[kind].attacked.push(quantileOf(await atRate(count, () => victim[kind]()), 0.99));
      }
      await stop();
      await galley.stop();
    }
    for (const kind of ['uncached', 'cached'] as const) {
      yield {
        number: `24 (${kind}, ${name})`,
        what: `${WHAT[kind]}, p99, while ${ATTACKERS} keys render ${name}`,
        baseline: 'before the attack',
        unit: 'ms',
        ...compare(figures[kind].attacked, figures[kind].quiet),
        target: { atMost: 2 },
      };
    }
  }
}

const WHAT = {
  uncached: 'render a document of three words for the first time',
  cached: 'render a cached version with data',
};

const atRate = (count: number, act: () => Promise<number>) => startAtRate(count, act, RATE);

const side = () => ({ quiet: [] as number[], attacked: [] as number[] });

/** Another tenant, whose latency counts. */
class Victim {
  private rendered = 0;

  private constructor(
    private readonly client: Client,
    private readonly templateId: string,
  ) {}

  static async create(client: Client): Promise<Victim> {
    const { body } = await client.post<{ id: string }>('/api/workspaces', { name: 'Victim' });
    const template = {
      name: 'Welcome',
      workspaceId: body.id,
      content: documentOf('Hello {{name}}'),
    };
    return new Victim(
      client,
      (await client.post<{ id: string }>('/api/templates', template)).body.id,
    );
  }

  uncached(): Promise<number> {
    const content = documentOf(`Welcome, dear guest ${this.rendered++}`);
    return this.timeOf('/api/render', { content });
  }

  cached(): Promise<number> {
    const data = { name: `Guest ${this.rendered++}` };
    return this.timeOf(`/api/templates/${this.templateId}/render`, { data });
  }

  private async timeOf(path: string, body: object): Promise<number> {
    const begun = performance.now();
    const { status, text } = await this.client.post(path, body);
    if (status !== 201 && status !== 200) throw new Error(`The victim got ${status}: ${text}`);
    return performance.now() - begun;
  }
}

const documentOf = (content: string) => ({
  stripes: [{ containers: [{ blocks: [{ type: 'text', props: { content } }] }] }],
});

async function createKeys({ client, workspaceId }: Installation): Promise<string[]> {
  const keys: string[] = [];
  for (let each = 0; each < ATTACKERS; each++) {
    const path = `/api/workspaces/${workspaceId}/keys`;
    const { body } = await client.post<{ key: string }>(path, { name: `${each}`, role: 'editor' });
    keys.push(body.key);
  }
  return keys;
}

/** Attacks from another process; returns a function that stops the process. */
function attack(renders: AttackerRenders): () => Promise<void> {
  const child = fork(new URL('../attackers/renders.js', import.meta.url));
  const exited = once(child, 'exit');
  child.send(renders);
  return async () => {
    if (child.exitCode !== null) throw new Error('The attack has failed.');
    child.kill();
    await exited;
  };
}
