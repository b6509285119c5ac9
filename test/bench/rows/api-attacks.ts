import { request, type ClientRequest } from 'node:http';
import { emailDocument } from '../documents.js';
import { compare, type Row } from '../figures.js';
import type { Installation, Rig } from '../rig.js';
import { atRate, quantileOf, RATE } from './latency.js';

const MIB = 1024 * 1024;
const NAMES = 40_000;

interface Attack {
  name: string;
  /** What the attacker has made before. */
  prepare: (galley: Installation) => Promise<void>;
  /** Sends requests until it is stopped. */
  begin: (galley: Installation, token: string) => () => void;
}

const ATTACKS: readonly Attack[] = [
  {
    name: '120 readers take nothing of pages of large documents',
    prepare: async ({ client, workspaceId }) => {
      for (let at = 0; at < 100; at++) {
        const content = emailDocument(MIB - 1_000);
        await client.post('/api/templates', { name: `Large ${at}`, workspaceId, content });
      }
    },
    begin: (galley, token) => {
      const requests = Array.from({ length: 120 }, () =>
        send(galley, token, 'GET', `/api/templates?workspaceId=${galley.workspaceId}&limit=100`),
      );
      return () => requests.forEach((each) => each.destroy());
    },
  },
  {
    name: '60 batches of 10 MB at once',
    prepare: () => Promise.resolve(),
    begin: (galley, token) => {
      const content = emailDocument(10_000);
      const operations = Array.from({ length: 1_000 }, (_, at) => ({
        action: 'create',
        name: `Batch ${at}`,
        content,
      }));
      const body = JSON.stringify({ workspaceId: galley.workspaceId, operations });
      return over(60, (again) => send(galley, token, 'POST', '/api/templates/batch', body, again));
    },
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
    begin: (galley, token) => {
      const path = `/api/templates?workspaceId=${galley.workspaceId}&search=nowhere&content=false`;
      return over(400, (again) => send(galley, token, 'GET', path, undefined, again));
    },
  },
];

/** Row 12, one line for each attack on the API: what the reads of another user take, at 100 a second. */
export async function* apiAttackRows(rig: Rig): AsyncGenerator<Row> {
  for (const attack of ATTACKS) {
    const quiet: number[] = [];
    const attacked: number[] = [];
    for (let round = 0; round < (rig.scale.quick ? 1 : 3); round++) {
      const galley = await rig.install({ waitsForDisk: false });
      const victim = await galley.as('victim');
      await attack.prepare(galley);
      const { body } = await victim.post<{ id: string }>('/api/workspaces', { name: 'Victim' });
      const template = { name: 'Welcome', workspaceId: body.id, content: emailDocument(1_000) };
      const path = `/api/templates/${(await victim.post<{ id: string }>('/api/templates', template)).body.id}`;
      const count = RATE * (rig.scale.quick ? 5 : 10);
      const read = async () => {
        const begun = performance.now();
        const { status } = await victim.get(path);
        if (status !== 200) throw new Error(`The victim got ${status}.`);
        return performance.now() - begun;
      };
      await atRate(count, read);
      quiet.push(quantileOf(await atRate(count, read), 0.99));
      const stop = attack.begin(galley, galley.token);
      attacked.push(quantileOf(await atRate(count, read), 0.99));
      stop();
      await galley.stop();
    }
    yield {
      number: `12 (${attack.name})`,
      what: `read a template, p99, while ${attack.name}`,
      baseline: 'before the attack',
      unit: 'ms',
      ...compare(attacked, quiet),
      target: { atMost: 2 },
    };
  }
}

/** Keeps so many requests under way. */
function over(count: number, start: (again: () => void) => ClientRequest): () => void {
  let stopped = false;
  const open = new Set<ClientRequest>();
  const next = () => {
    if (stopped) return;
    const one = start(() => {
      open.delete(one);
      setTimeout(next, 50);
    });
    open.add(one);
  };
  for (let at = 0; at < count; at++) next();
  return () => {
    stopped = true;
    for (const one of open) one.destroy();
  };
}

/** A request whose response is read only if somebody wants to know of its end. */
function send(
  { url }: Installation,
  token: string,
  method: string,
  path: string,
  body?: string,
  ended?: () => void,
): ClientRequest {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
  };
  const sent = request(new URL(path, url), { method, headers, agent: false }, (response) => {
    if (ended) response.resume().once('close', ended);
    else response.pause();
  });
  // What is refused is an answer, too; what is destroyed at the end is over.
  sent.on('error', () => ended?.());
  sent.end(body);
  return sent;
}
