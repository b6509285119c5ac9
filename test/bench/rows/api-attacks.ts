import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Requests } from '../attackers/requests.js';
import { emailDocument } from '../content/documents.js';
import { compare, type Row } from '../figures.js';
import type { Installation, Harness } from '../harness.js';
import { atRate, quantileOf, RATE } from './latency.js';

const MIB = 1024 * 1024;
const NAMES = 40_000;

interface Attack {
  name: string;
  /** Creates the resources that the attacker needs. */
  prepare: (galley: Installation) => Promise<void>;
  requests: (
    galley: Installation,
  ) => Pick<Requests, 'method' | 'body' | 'count' | 'pauseMs'> & { path: string };
  readsResponses: boolean;
}

const ATTACKS: readonly Attack[] = [
  {
    name: '120 readers take nothing of pages of large documents',
    prepare: async ({ client, workspaceId }) => {
      // With this content and a name, the request body is a little below MAX_BODY_BYTES.
      const content = emailDocument(MIB - 20_000);
      for (let at = 0; at < 100; at++) {
        await client.post('/api/templates', { name: `Large ${at}`, workspaceId, content });
      }
    },
    requests: ({ workspaceId }) => ({
      method: 'GET',
      path: `/api/templates?workspaceId=${workspaceId}&limit=100`,
      count: 120,
    }),
    readsResponses: false,
  },
  {
    name: '60 batches of 10 MB at once',
    prepare: () => Promise.resolve(),
    requests: ({ workspaceId }) => {
      const content = emailDocument(10_000);
      const operations = Array.from({ length: 1_000 }, (_, at) => ({
        action: 'create',
        name: `Batch ${at}`,
        content,
      }));
      const body = JSON.stringify({ workspaceId, operations });
      return { method: 'POST', path: '/api/templates/batch', body, count: 60 };
    },
    readsResponses: true,
  },
  {
    name: '400 searches over 40,000 names at once',
    prepare: async ({ client, workspaceId }) => {
      for (let made = 0; made < NAMES; made += 1_000) {
        const operations = Array.from({ length: 1_000 }, (_, at) => ({
          action: 'create',
          name: `${'Name '.repeat(30)}${made + at}`,
        }));
        await client.post('/api/templates/batch', { workspaceId, operations });
      }
    },
    requests: ({ workspaceId }) => ({
      method: 'GET',
      path: `/api/templates?workspaceId=${workspaceId}&search=nowhere&content=false`,
      count: 400,
    }),
    readsResponses: true,
  },
];

const FILLING: Attack = {
  name: '6 emails at once are filled with long conditions for 49,000 items',
  prepare: () => Promise.resolve(),
  requests: () => {
    const condition = `${'0 or '.repeat(99)}1`;
    const block = { type: 'text', repeat: 'item in list', condition, props: { content: '' } };
    const content = { stripes: [{ containers: [{ blocks: [block] }] }] };
    const body = JSON.stringify({ content, data: { list: Array<number>(49_000).fill(0) } });
    return { method: 'POST', path: '/api/render', body, count: 6, pauseMs: 0 };
  },
  readsResponses: true,
};

/** Row 12, one line for each attack on the API: the latency of another user's reads, at 100 a second. */
export async function* apiAttackRows(harness: Harness): AsyncGenerator<Row> {
  for (const attack of ATTACKS) yield* attackRows(harness, attack, [0.99]);
}

/** Row 12, while data is put into emails: a row of its own, since the quick form leaves out the other attacks. */
export async function* fillingRows(harness: Harness): AsyncGenerator<Row> {
  yield* attackRows(harness, FILLING, [0.5, 0.99]);
}

async function* attackRows(
  harness: Harness,
  attack: Attack,
  quantiles: number[],
): AsyncGenerator<Row> {
  const quiet: number[][] = [];
  const attacked: number[][] = [];
  for (let round = 0; round < (harness.scale.quick ? 1 : 3); round++) {
    const galley = await harness.install({ waitsForDisk: false });
    const victim = await galley.as('victim');
    await attack.prepare(galley);
    const { body } = await victim.post<{ id: string }>('/api/workspaces', { name: 'Victim' });
    const template = { name: 'Welcome', workspaceId: body.id, content: emailDocument(1_000) };
    const path = `/api/templates/${(await victim.post<{ id: string }>('/api/templates', template)).body.id}`;
    const count = RATE * (harness.scale.quick ? 5 : 10);
    const read = async () => {
      const begun = performance.now();
      const { status } = await victim.get(path);
      if (status !== 200) throw new Error(`The victim got ${status}.`);
      return performance.now() - begun;
    };
    await atRate(count, read);
    quiet.push(await atRate(count, read));
    const { path: target, ...requests } = attack.requests(galley);
    const { readsResponses } = attack;
    const { token } = galley;
    const url = galley.url + target;
    const stopAttack = attackWith({ url, token, readsResponses, ...requests });
    attacked.push(await atRate(count, read));
    await stopAttack();
    await galley.stop();
  }
  for (const quantile of quantiles) {
    const figures = (rounds: number[][]) => rounds.map((times) => quantileOf(times, quantile));
    const what = `p${quantile * 100}`;
    yield {
      number: `12 (${attack.name}${quantile === 0.99 ? '' : `, ${what}`})`,
      what: `read a template, ${what}, while ${attack.name}`,
      baseline: 'before the attack',
      unit: 'ms',
      ...compare(figures(attacked), figures(quiet)),
      target: { atMost: 2 },
    };
  }
}

/** Sends the requests from a separate process; returns a function that stops the process. */
function attackWith(requests: Requests): () => Promise<unknown> {
  const attacker = fork(new URL('../attackers/requests.js', import.meta.url));
  const exited = once(attacker, 'exit');
  attacker.send(requests);
  return () => {
    attacker.kill();
    return exited;
  };
}
