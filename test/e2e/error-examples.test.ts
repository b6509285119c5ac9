import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { workerConfig } from '#config';
import { KEY_IN_USE } from '#database';
import { errorCodes } from '#errors';
import { createWorker } from '../../apps/worker/worker.js';
import { eventually } from '../support/eventually.js';
import { operationOf, operations, resolve, type Response } from '../support/openapi.js';
import { startWorld, type World } from '../support/refusals.js';
import { Sink } from '../support/sink.js';
import { subscribe } from '../support/webhooks.js';

interface Told {
  statusCode: number;
  code: string;
  message: string;
}

let world: World;
let sink: Sink;
const ids: Record<string, string> = {};

beforeAll(async () => {
  world = await startWorld();
  const { ada, galley } = world;
  sink = await Sink.start();
  const workspaceId = world.fill('<workspace>');
  ids['active'] = (await subscribe(ada, workspaceId, sink)).id;
  const worker = await createWorker(workerConfig(galley.environment));
  await worker.init();
  await ada.put(world.fill('/api/templates/<template>'), { name: 'Told of' });
  const log = `/api/webhooks/${ids['active']}/deliveries?status=delivered`;
  ids['delivery'] = await eventually('it to be delivered', async () => {
    return (await ada.get<{ data: { id: string }[] }>(log)).body.data[0]?.id;
  });
  const replays = `/api/webhooks/${ids['active']}/replays`;
  // Of nothing, so that it is over when it is done.
  ids['over'] = (
    await ada.post<{ id: string }>(replays, { since: '2099-01-01T00:00:00Z' })
  ).body.id;
  await eventually('it to be over', async () => {
    const { body } = await ada.get<{ data: { status: string }[] }>(replays);
    return body.data[0]?.status === 'done';
  });
  // From here on they go on for ever.
  await worker.close();
  const { body } = await ada.get<{ user: { id: string } }>('/api/auth/me');
  ids['owner'] = body.user.id;
  await ada.post(world.fill('/api/workspaces/<workspace>/members'), {
    ...{ userId: world.fill('<user>'), role: 'viewer' },
  });
  await ada.post(world.fill('/api/webhooks/<webhook>/disable'));
  for (let times = 0; times < 4; times++) {
    await ada.post(`/api/webhooks/${ids['active']}/secret/rotate`, { overlapHours: 1 });
  }
});
afterAll(async () => {
  await world.galley.stop();
  await sink.stop();
});

const tooLarge = (mebibytes: number) => ({ name: 'x'.repeat(mebibytes * 1024 * 1024) });
const staleBatch = (kind: string) => ({
  workspaceId: '<workspace>',
  operations: [
    { action: 'create', name: 'A', content: {} },
    { action: 'update', id: `<${kind}>`, name: 'B', ifMatch: '"mi6hq0k8"' },
  ],
});
const webhook = '/api/webhooks/<active>';
const members = '/api/workspaces/<workspace>/members';
const since = '2026-01-01T00:00:00Z';

// Without a default of its own Jest would take it for the callback of a test.
const NONE = {};
const cases: [status: number, route: string, body?: object][] = [
  [400, 'POST /api/templates', { workspaceId: '<workspace>', name: '' }],
  [404, 'GET /api/templates/<unknown>'],
  [404, 'POST /api/auth/webhook', {}],
  [409, 'DELETE /api/workspaces/<workspace>'],
  [409, `POST ${members}`, { userId: '<user>', role: 'viewer' }],
  [409, `PUT ${members}/<owner>`, { role: 'viewer' }],
  [409, `DELETE ${members}/<owner>`],
  [409, `POST ${webhook}/enable`, { held: 'discard' }],
  [409, `POST ${webhook}/secret/rotate`, { overlapHours: 1 }],
  [409, 'POST /api/webhooks/<webhook>/test'],
  [409, 'POST /api/webhooks/<webhook>/deliveries/retry'],
  [409, 'POST /api/webhooks/<webhook>/deliveries/<delivery>/retry'],
  [409, `POST ${webhook}/deliveries/<delivery>/cancel`],
  [202, `POST ${webhook}/replays`, { since }],
  [409, `POST ${webhook}/replays`, { since }],
  [409, `POST ${webhook}/replays/<over>/cancel`],
  [412, 'POST /api/templates/batch', staleBatch('template')],
  [412, 'POST /api/modules/batch', staleBatch('module')],
  [413, 'POST /api/templates', tooLarge(1)],
  [413, 'POST /api/templates/batch', tooLarge(16)],
  [413, 'POST /api/modules/batch', tooLarge(16)],
];
const provoked = new Set<string>();

it.each(cases)('%i of %s is told as the document shows it', async (status, route, body = NONE) => {
  const named = (text: string) =>
    text.replace(/<(\w+)>/g, (whole, name: string) => ids[name] ?? whole);
  const text = body === NONE ? undefined : named(JSON.stringify(body));
  const answer = await world.send<Told>(['', status, named(route), text]);
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  if (status < 300) return;
  const [method = '', path = ''] = world.fill(named(route)).split(' ');
  const example = examplesOf(operationOf(method, path)?.responses[status])[0];
  // No two states have the same tag.
  const withoutTag = ({ ...told }: object) => JSON.stringify(told).replace(/\\"\w+\\"/g, 'a tag');
  expect(withoutTag(answer.body)).toBe(withoutTag(example ?? {}));
  provoked.add(example?.message ?? '');
});

it('no error is shown that nobody is told', () => {
  const shown = operations.flatMap(({ responses }) => Object.values(responses).flatMap(examplesOf));
  const fixed = Object.values(errorCodes).flatMap((kind) =>
    'message' in kind ? [kind.message] : [],
  );
  const elsewhere = [
    ...[...fixed, KEY_IN_USE, 'The database does not answer.'],
    // Told word by word in rate-limits.test.ts.
    'Too many requests: 6000 in 60 seconds are allowed of one user or API key. Come again in 42 seconds.',
  ];
  const known = new Set([...provoked, ...elsewhere]);
  const unseen = shown.filter(({ message }) => !known.has(message)).map(({ message }) => message);
  expect([...new Set(unseen)]).toEqual([]);
});

/** None for a success. */
function examplesOf(response: object | undefined): Told[] {
  const { content } = resolve<Response>(response as Response);
  const example = content?.['application/json'].example as Told | undefined;
  return example && 'statusCode' in example ? [example] : [];
}
