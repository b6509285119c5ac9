import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { workerConfig } from '#config';
import { createWorker } from '../../apps/worker/worker.js';
import type { Answer } from '../support/answer.js';
import type { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { call, namesIn, routes, type Ids, type Route } from '../support/routes.js';
import { Sink } from '../support/sink.js';
import { snapshot } from '../support/snapshot.js';
import { firstIds, marksOf, populate, readAll, reads, type Tenant } from '../support/tenant.js';

let galley: Galley;
let sink: Sink;
let worker: NestFastifyApplication;
let theirs: Tenant;
let mine: Tenant;
/** What no answer to me may hold. */
let marks: string[];
/** What I read before they came. */
let before: Map<string, string>;

async function startWorker(): Promise<void> {
  worker = await createWorker(workerConfig(galley.environment));
  await worker.init();
}

beforeAll(async () => {
  [galley, sink] = await Promise.all([startGalley(), Sink.start()]);
  await startWorker();
  mine = await populate(galley, sink, 'sparrow', 2);
  before = await readAll(mine);
  theirs = await populate(galley, sink, 'nightingale', 3);
  marks = await marksOf(theirs);
  // So that whatever changes is changed by a request.
  await worker.close();
});
afterAll(async () => {
  await galley.stop();
  await sink.stop();
});

const marksIn = ({ text, headers }: Answer<unknown>): string[] => {
  const all = `${text} ${JSON.stringify([...headers])}`;
  return marks.filter((mark) => all.includes(mark));
};

async function expectNoChange(work: () => Promise<void>): Promise<void> {
  const was = await snapshot(galley.database);
  await work();
  expect(await snapshot(galley.database)).toEqual(was);
}

it('knows by its marks what is read of another workspace', async () => {
  const unmarked = [...(await readAll(theirs))].filter(
    ([, text]) => !marks.some((mark) => text.includes(mark)),
  );
  // They say when and why, but not of what.
  expect(unmarked.map(([route]) => route)).toEqual(['GET /api/webhooks/:webhook/transitions']);
});

it('shows of a workspace what it has shown before there was another one', async () => {
  expect(await readAll(mine)).toEqual(before);
});

const FORBIDDEN = '{"statusCode":403,"code":"forbidden","message":"Forbidden"}';
const isMissing: unknown = expect.stringMatching(
  /^\{"statusCode":404,"code":"not_found","message":"There is no such \w+\."(,"details":\[[^\]]*\])?\}$/,
);

interface Attempt {
  ids: Ids;
  expected: [status: number, text: unknown];
}

/** Each of their ids in each place of a route, beside mine and beside theirs. */
function attemptsAt(route: Route): Attempt[] {
  const own = firstIds(mine);
  const foreign = firstIds(theirs);
  // A person is of no workspace, and joins that of whoever they have told their id.
  const [first = '', second] = namesIn(route).filter((name) => name !== 'newcomer');
  const all = Object.entries(theirs.ids).flatMap(([kind, ids]) =>
    ids.map((id) => [kind, id] as const),
  );
  return [
    ...all.map(([kind, id]): Attempt => ({
      ids: { ...own, [first]: id },
      expected: kind === first ? [403, FORBIDDEN] : [404, isMissing],
    })),
    ...(second === undefined
      ? []
      : [
          { ids: foreign, expected: [403, FORBIDDEN] } satisfies Attempt,
          ...all.map(([, id]): Attempt => ({
            ...{ ids: { ...own, [second]: id }, expected: [404, isMissing] },
          })),
        ]),
  ];
}

const addressed = routes.filter((route) => namesIn(route).length > 0);

const replay = { since: '2026-01-01T00:00:00Z', dryRun: true };
const joining = { userId: ':foreign', role: 'viewer' };
const elsewhere = { workspaceId: ':foreign' };
const here = { workspaceId: ':workspace' };
/** A route among mine, what of theirs is foreign in it, a body, and what comes of it. */
const bodies: [route: string, foreign: string, body: Record<string, unknown>, status: number][] = [
  ['PUT /api/templates/:template', 'workspace', elsewhere, 400],
  ['PUT /api/modules/:module', 'workspace', elsewhere, 400],
  ['PUT /api/webhooks/:webhook', 'workspace', elsewhere, 400],
  ['PUT /api/templates/:template', 'template', { id: ':foreign' }, 400],
  ['PUT /api/modules/:module', 'module', { id: ':foreign' }, 400],
  ['PUT /api/webhooks/:webhook', 'webhook', { id: ':foreign' }, 400],
  ['POST /api/templates/:template/duplicate', 'workspace', elsewhere, 403],
  ['POST /api/modules/:module/duplicate', 'workspace', elsewhere, 403],
  ['POST /api/templates/:foreign/duplicate', 'template', here, 403],
  ['POST /api/modules/:foreign/duplicate', 'module', here, 403],
  ['POST /api/workspaces/:workspace/members', 'robot', joining, 404],
  // It counts none.
  ['POST /api/webhooks/:webhook/replays', 'template', { ...replay, resourceId: ':foreign' }, 200],
];

interface List {
  route: Route;
  cursor: string;
}

const page = (client: Client, tenant: Tenant, { route }: Route, query: string) =>
  call<{ nextCursor?: string | null }>(
    client,
    { route: `${route}${route.includes('?') ? '&' : '?'}limit=1${query}` },
    firstIds(tenant),
  );

/** Every list that has pages, with the cursor of the second one. */
async function listsOf(tenant: Tenant): Promise<List[]> {
  const lists = reads.map(async (route) => {
    const { body } = await page(tenant.owner, tenant, route, '');
    return 'nextCursor' in body ? [{ route, cursor: String(body.nextCursor) }] : [];
  });
  return (await Promise.all(lists)).flat();
}

describe.each(['owner', 'service'] as const)('the %s of another workspace', (who) => {
  // The first use of a key leaves a trace.
  beforeAll(() => mine[who].get('/api/auth/me'));

  it.each(addressed.map((route) => [route.route, route] as const))(
    'reaches nothing by ids in %s',
    async (_name, route) => {
      const attempts = attemptsAt(route);
      await expectNoChange(async () => {
        const answers = attempts.map(async ({ ids }) => {
          const answer = await call(mine[who], route, ids);
          return [ids, answer.status, answer.text, marksIn(answer)];
        });
        const wanted = attempts.map(({ ids, expected }) => [ids, ...expected, []]);
        expect(await Promise.all(answers)).toEqual(wanted);
      });
    },
  );

  it('reaches nothing by cursors', async () => {
    const foreign = await listsOf(theirs);
    expect(foreign).toHaveLength(9);
    expect(foreign.map(({ cursor }) => cursor)).not.toContain('null');
    for (const { route } of foreign) {
      for (const { cursor } of foreign) {
        const answer = await page(mine[who], mine, route, `&cursor=${cursor}`);
        expect([route.route, answer.status, marksIn(answer)]).toEqual([route.route, 400, []]);
        expect(answer.text).toContain('cursor must be the nextCursor of this same list');
      }
    }
    for (const { route, cursor } of foreign.filter(({ route }) => namesIn(route).length > 0)) {
      const { status, text } = await page(mine[who], theirs, route, `&cursor=${cursor}`);
      expect([route.route, status, text]).toEqual([route.route, 403, FORBIDDEN]);
    }
  });

  it.each(bodies)('reaches nothing in %s by the id of a %s in %j', async (...given) => {
    const [route, kind, body, status] = given;
    const ids = { ...firstIds(mine), foreign: firstIds(theirs)[kind] ?? '' };
    await expectNoChange(async () => {
      const answer = await call(mine[who], { route, body }, ids);
      expect([answer.status, answer.text, marksIn(answer)]).toEqual([
        ...[status, status === 200 ? '{"count":0}' : expect.any(String), []],
      ]);
    });
  });
});

it('is told of no event of theirs, though it asks for their resources', async () => {
  const { owner, ids } = mine;
  const [their = '', own = ''] = [theirs, mine].map((tenant) => firstIds(tenant)['template']);
  const spy = await Sink.start();
  await startWorker();
  try {
    const { body: endpoint, status } = await owner.post<{ id: string }>('/api/webhooks', {
      ...{ workspaceId: ids['workspace']?.[0], url: spy.url, resourceIds: [their, own] },
      events: ['template.updated'],
    });
    // An id may be of what is yet to come, or gone, and says nothing of whether it exists.
    expect(status).toBe(201);
    const theirsTold = sink.received.length;
    await theirs.owner.put(`/api/templates/${their}`, { name: 'For their own' });
    await eventually('their event', () => sink.received.length > theirsTold);
    await owner.put(`/api/templates/${own}`, { name: 'For me' });
    await eventually('my event', () => spy.received.length > 0);
    const { body } = await owner.get<{ data: { resourceId: string }[] }>(
      `/api/webhooks/${endpoint.id}/deliveries`,
    );
    expect(body.data.map(({ resourceId }) => resourceId)).toEqual([own]);
    expect(spy.received.map(({ body }) => marks.filter((mark) => body.includes(mark)))).toEqual([
      [],
    ]);
  } finally {
    await worker.close();
    await spy.stop();
  }
});
