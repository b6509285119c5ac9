import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Answer } from '../support/answer.js';
import { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';
import { peopleOf, type Person } from '../support/people.js';
import { refusedTokens } from '../support/refused-tokens.js';
import { makeResources } from '../support/resources.js';
import {
  call,
  isRead,
  namesIn,
  ranks,
  routes as table,
  shapeOf,
  type Ids,
  type Rank,
  type Route,
} from '../support/routes.js';
import { snapshot } from '../support/snapshot.js';

type Role = 'viewer' | 'editor' | 'admin' | 'owner';
const names = ['outsider', 'viewer', 'editor', 'admin', 'owner', 'member', 'newcomer'] as const;
const UNKNOWN_IDS: Ids = { version: '999' };
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

let galley: Galley;
let people: Record<(typeof names)[number], Person>;
/** A workspace with everybody but outsider and newcomer in it, and one of everything. */
let shared: Ids;
/** Every route of the running API as its row has it, also those that Fastify adds for HEAD. */
let routes: Route[];

beforeAll(async () => {
  galley = await startGalley();
  people = await peopleOf(galley, names);
  shared = await makeWorld(table.flatMap(namesIn), 'viewer', 'editor', 'admin');
  routes = galley.routes.flatMap((registered) => {
    const method = registered.slice(0, registered.indexOf(' '));
    const shape = shapeOf(registered.replace('HEAD', 'GET'));
    const row = table.find(({ route }) => shapeOf(route) === shape);
    return row ? [{ ...row, route: row.route.replace(/^\w+/, method) }] : [];
  });
});
afterAll(() => galley.stop());

/** A fresh workspace with these roles in it, and one of each of `resources`. */
async function makeWorld(resources: readonly string[], ...roles: Rank[]): Promise<Ids> {
  const { client, id: owner } = people.owner;
  const { id: workspace } = await galley.workspaceOf('owner');
  const members = roles.map((role) => [people[role as Role].id, role]);
  if (resources.includes('member')) members.push([people.member.id, 'viewer']);
  for (const [userId, role] of members.filter(([userId]) => userId !== owner)) {
    await client.post(`/api/workspaces/${workspace}/members`, { userId, role });
  }
  const made = await makeResources(client, galley.database, workspace, resources);
  return { ...made, workspace, member: people.member.id, newcomer: people.newcomer.id };
}

type Expected = [status: number, text: unknown];
const refusal = (statusCode: number, code: string, message: string): Expected => [
  statusCode,
  JSON.stringify({ statusCode, code, message }),
];

/** What somebody of this rank is to get. */
function expected({ least, status, forKeys }: Route, rank: Rank, isKey = false): Expected {
  const reaches = ranks.indexOf(rank) >= ranks.indexOf(least) && (forKeys || !isKey);
  if (reaches) return [status, expect.any(String)];
  return rank === 'nobody'
    ? refusal(401, 'unauthorized', 'Unauthorized')
    : refusal(403, 'forbidden', 'Forbidden');
}

const tried: string[] = [];

/** Sends all at once, and compares what comes of it. */
async function expectAnswers(
  asked: readonly Route[],
  send: (route: Route) => Promise<Answer<unknown>>,
  expectedOf: (route: Route) => Expected,
): Promise<void> {
  const answers = asked.map(async (route) => {
    const { status, text } = await send(route);
    return [route.route, status, text];
  });
  const wanted = asked.map((route) => {
    const [status, text] = expectedOf(route);
    return [route.route, status, route.route.startsWith('HEAD ') ? '' : text];
  });
  expect(await Promise.all(answers)).toEqual(wanted);
}

async function expectNoChange(work: () => Promise<void>): Promise<void> {
  const before = await snapshot(galley.database);
  await work();
  expect(await snapshot(galley.database)).toEqual(before);
}

it('has a row of the table for each of its routes, and a route for each row', () => {
  const registered = galley.routes.filter((route) => !route.startsWith('HEAD '));
  expect(registered.map(shapeOf).sort()).toEqual(table.map(({ route }) => shapeOf(route)).sort());
});

describe('a token', () => {
  it.each(refusedTokens)('that %s opens no route', async (what, make) => {
    const { workspace = '' } = shared;
    const token = await make({ galley, workspace, owner: people.owner.client });
    const client = new Client(galley.url, token);
    const send = (route: Route) => {
      tried.push(`${what}: ${route.route}`);
      return call(client, route, shared);
    };
    await expectNoChange(() => expectAnswers(routes, send, (route) => expected(route, 'nobody')));
  });
});

describe('a body', () => {
  it.each([['no token', {}] as const, ['a bad one', { authorization: 'Bearer bad' }] as const])(
    'is not even read of who has %s',
    async (_what, headers) => {
      const statusOf = async ({ route }: Route) => {
        const [method = '', path = ''] = route.split(' ');
        const sending = request(new URL(path, galley.url), {
          method,
          headers: { ...headers, 'content-type': 'application/json', 'content-length': 1_000_000 },
        });
        sending.write('{');
        const [answer] = (await once(sending, 'response')) as [IncomingMessage];
        sending.on('error', () => undefined).destroy();
        return [route, answer.statusCode];
      };
      const asked = routes.filter((route) => !isRead(route) && route.least !== 'nobody');
      expect(await Promise.all(asked.map(statusOf))).toEqual(
        asked.map(({ route }) => [route, 401]),
      );
    },
  );
});

const callers: [caller: string, rank: Exclude<Rank, 'nobody'>, isKey: boolean][] = [
  ['an outsider', 'outsider', false],
  ['a viewer', 'viewer', false],
  ['an editor', 'editor', false],
  ['an admin', 'admin', false],
  ['an owner', 'owner', false],
  ["a viewer's key", 'viewer', true],
  ["an editor's key", 'editor', true],
  ["an admin's key", 'admin', true],
];

describe.each(callers)('%s', (caller, rank, isKey) => {
  const expectedOf = (route: Route) => expected(route, rank, isKey);
  const may = (route: Route) => expectedOf(route)[0] === route.status;

  /** A key is of one workspace, and its first use leaves a trace. */
  async function clientIn({ workspace = '' }: Ids): Promise<Client> {
    if (!isKey) return people[rank].client;
    const key = { name: caller, role: rank };
    const path = `/api/workspaces/${workspace}/keys`;
    const { body } = await people.owner.client.post<{ key: string }>(path, key);
    const client = new Client(galley.url, body.key);
    expect((await client.get('/api/auth/me')).status).toBe(200);
    return client;
  }

  it('is refused what the role does not reach, and changes nothing', async () => {
    const client = await clientIn(shared);
    const send = (route: Route) => {
      tried.push(`${caller}: ${route.route}`);
      return call(client, route, shared);
    };
    const refused = routes.filter((route) => !may(route));
    await expectNoChange(() => expectAnswers(refused, send, expectedOf));
  });

  it('is served what the role reaches', async () => {
    const client = await clientIn(shared);
    const send = async (route: Route) => {
      tried.push(`${caller}: ${route.route}`);
      if (isRead(route)) return call(client, route, shared);
      const world = await makeWorld(
        namesIn(route),
        ...(isKey || rank === 'outsider' ? [] : [rank]),
      );
      return call(await clientIn(world), route, world);
    };
    await expectAnswers(routes.filter(may), send, expectedOf);
  });

  it('is told what is not there, and changes nothing', async () => {
    const client = await clientIn(shared);
    const isMissing = expect.stringMatching(/"There is no such \w+\."/) as unknown;
    for (const place of [0, 1]) {
      const nameOf = (route: Route) => namesIn(route)[place] ?? '';
      const send = (route: Route) => {
        const name = nameOf(route);
        return call(client, route, { ...shared, [name]: UNKNOWN_IDS[name] ?? UNKNOWN_ID });
      };
      // Of what is there, its parts are known to nobody but those who may see them.
      const isTold = (route: Route) => place === 0 || may(route);
      await expectNoChange(() =>
        expectAnswers(routes.filter(nameOf), send, (route) =>
          isTold(route) ? [404, isMissing] : expectedOf(route),
        ),
      );
    }
  });
});

it('has tried every route with every caller', () => {
  const all = [...refusedTokens, ...callers].flatMap(([caller]) =>
    routes.map(({ route }) => `${caller}: ${route}`),
  );
  expect(tried.sort()).toEqual(all.sort());
});

it('a webhook of a stranger or a viewer is refused without waiting for the lock of the workspace', async () => {
  const { workspace } = await makeWorld(['workspace'], 'viewer');
  const holder = new pg.Client({ connectionString: galley.database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspace]);
  const body = { workspaceId: workspace, url: 'https://example.com/', events: ['module.created'] };
  for (const name of ['outsider', 'viewer'] as const) {
    expect((await people[name].client.post('/api/webhooks', body)).status).toBe(403);
  }
  await holder.end();
});
