import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadWorkerConfig } from '#config';
import { KEY_IN_USE } from '#database';
import { errorCodes } from '#errors';
import { createWorker } from '../../../apps/worker/worker.js';
import { eventually } from '../../support/eventually.js';
import { findOperation, operations, resolve, type Response } from '../../support/api/openapi.js';
import { startRefusalHarness, type RefusalHarness } from '../../support/requests/refusals.js';
import { Receiver } from '../../support/webhooks/receiver.js';
import { subscribe } from '../../support/webhooks/subscriptions.js';

interface ErrorResponse {
  statusCode: number;
  code: string;
  message: string;
}

let world: RefusalHarness;
let receiver: Receiver;
const ids: Record<string, string> = {};

beforeAll(async () => {
  world = await startRefusalHarness();
  const { ada, galley } = world;
  receiver = await Receiver.start();
  const workspaceId = world.fill('<workspace>');
  ids['active'] = (await subscribe(ada, workspaceId, receiver)).id;
  const worker = await createWorker(loadWorkerConfig(galley.environment));
  await worker.init();
  await ada.put(world.fill('/api/templates/<template>'), { name: 'Changed' });
  const deliveriesPath = `/api/webhooks/${ids['active']}/deliveries?status=delivered`;
  ids['delivery'] = await eventually('it to be delivered', async () => {
    return (await ada.get<{ data: { id: string }[] }>(deliveriesPath)).body.data[0]?.id;
  });
  const replaysPath = `/api/webhooks/${ids['active']}/replays`;
  // This replay has no deliveries, so it finishes at once.
  ids['over'] = (
    await ada.post<{ id: string }>(replaysPath, { since: '2099-01-01T00:00:00Z' })
  ).body.id;
  await eventually('the replay to be done', async () => {
    const { body } = await ada.get<{ data: { status: string }[] }>(replaysPath);
    return body.data[0]?.status === 'done';
  });
  const modulePath = world.fill('/api/modules/<module>');
  ids['ended'] = (
    await ada.post<{ id: string }>(`${modulePath}/update-usages`, { toVersion: 1, all: true })
  ).body.id;
  await eventually('the update to be done', async () => {
    const { body } = await ada.get<{ data: { status: string }[] }>(`${modulePath}/usage-updates`);
    return body.data[0]?.status === 'done';
  });
  // Jobs that start after this point never finish, because no worker runs.
  await worker.close();
  const used = { name: 'Used', workspaceId, content: { type: 'text', text: 'Imprint' } };
  ids['used'] = (await ada.post<{ id: string }>('/api/modules', used)).body.id;
  const trashed = { name: 'Goodbye', workspaceId, externalId: 'goodbye' };
  ids['trashed'] = (await ada.post<{ id: string }>('/api/templates', trashed)).body.id;
  await ada.delete(`/api/templates/${ids['trashed']}`);
  // This Galley has no storage, so nobody can upload a picture.
  const hash = '0'.repeat(64);
  const [picture] = await galley.database.query<{ id: string }>(
    `WITH content AS (
       INSERT INTO asset_contents (hash, workspace_id, storage_key, file_name, type, width, height, bytes)
       VALUES ($1, $2, 'key', 'a.png', 'image/png', 1, 1, 1) RETURNING hash, workspace_id
     )
     INSERT INTO assets (id, workspace_id, hash, name, created_at, created_by, updated_at, updated_by)
     SELECT gen_random_uuid(), workspace_id, hash, 'A', now(), gen_random_uuid(), now(), gen_random_uuid()
     FROM content RETURNING id`,
    [hash, workspaceId],
  );
  ids['picture'] = picture?.id ?? '';
  const shown = { src: `/assets/${hash}/a.png` };
  await ada.post('/api/templates', { name: 'Picture', workspaceId, content: shown });
  const content = { blocks: [{ type: 'module', moduleId: ids['used'] }] };
  await ada.post('/api/templates', { name: 'Letter', workspaceId, content });
  const { body } = await ada.get<{ user: { id: string } }>('/api/auth/me');
  ids['owner'] = body.user.id;
  await ada.post(world.fill('/api/workspaces/<workspace>/members'), {
    userId: world.fill('<user>'),
    role: 'viewer',
  });
  await ada.post(world.fill('/api/webhooks/<webhook>/disable'));
  await ada.post(world.fill('/api/workspaces/<workspace>/environments'), { name: 'staging' });
  await galley.database.query(
    `INSERT INTO scheduled_publications (id, template_id, environment, workspace_id, version, note, at,
       created_by, created_at)
     SELECT gen_random_uuid(), $1, 'staging', $2, 1, '', '2099-01-01', $3, now()
     FROM generate_series(1, 100)`,
    [world.fill('<template>'), workspaceId, ids['owner']],
  );
  for (let rotation = 0; rotation < 4; rotation++) {
    await ada.post(`/api/webhooks/${ids['active']}/secret/rotate`, { overlapHours: 1 });
  }
});
afterAll(async () => {
  await world.galley.stop();
  await receiver.stop();
});

const oversizedBody = (mebibytes: number) => ({ name: 'x'.repeat(mebibytes * 1024 * 1024) });
const staleBatch = (kind: string) => ({
  workspaceId: '<workspace>',
  operations: [
    { action: 'create', name: 'A', content: {} },
    { action: 'update', id: `<${kind}>`, name: 'B', ifMatch: '"mi6hq0k8"' },
  ],
});
const takenBy = (kind: string) => ({
  workspaceId: '<workspace>',
  name: 'Goodbye',
  externalId: 'goodbye',
  ...(kind === 'module' && { content: {} }),
});
const takenBatch = (kind: string) => ({
  workspaceId: '<workspace>',
  operations: [
    { action: 'create', name: 'A', content: {} },
    { action: 'update', id: `<${kind}>`, externalId: 'goodbye' },
  ],
});
const webhookPath = '/api/webhooks/<active>';
const membersPath = '/api/workspaces/<workspace>/members';
const environmentsPath = '/api/workspaces/<workspace>/environments';
const since = '2026-01-01T00:00:00Z';

// The default value of `body` in the test. Without a default value, Jest would pass a `done` callback as
// the body of the cases that have none.
const NO_BODY = {};
const BOUNDARY = 'x-galley-x';
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const formOf = (content: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`;
const uploadCases = [
  'POST /api/assets?workspaceId=<workspace>',
  'PUT /api/assets/<picture>/content',
].flatMap((route): [number, string, string, object][] => [
  [409, route, formOf('x'), FORM],
  [413, route, formOf('x'.repeat(11 * 1024 * 1024)), FORM],
  [415, route, '{}', { 'content-type': 'application/json' }],
]);
const cases: [status: number, route: string, body?: object | string, headers?: object][] = [
  ...uploadCases,
  [409, 'DELETE /api/assets/<picture>'],
  [400, 'POST /api/templates', { workspaceId: '<workspace>', name: '' }],
  [404, 'GET /api/templates/<unknown>'],
  [404, 'POST /api/auth/webhook', {}],
  [409, 'DELETE /api/workspaces/<workspace>'],
  [409, 'DELETE /api/modules/<used>'],
  [409, `POST ${membersPath}`, { userId: '<user>', role: 'viewer' }],
  [409, `PUT ${membersPath}/<owner>`, { role: 'viewer' }],
  [409, `DELETE ${membersPath}/<owner>`],
  [409, `POST ${environmentsPath}`, { name: 'staging' }],
  [409, `DELETE ${environmentsPath}/staging`],
  [409, 'POST /api/templates/<template>/publish', { version: 1, at: '2099-01-01T00:00:00Z' }],
  [409, 'POST /api/templates/<template>/test-send', { to: 'ada@example.com' }],
  [409, `POST ${webhookPath}/enable`, { held: 'discard' }],
  [409, `POST ${webhookPath}/secret/rotate`, { overlapHours: 1 }],
  [409, 'POST /api/webhooks/<webhook>/test'],
  [409, 'POST /api/webhooks/<webhook>/deliveries/retry'],
  [409, 'POST /api/webhooks/<webhook>/deliveries/<delivery>/retry'],
  [409, `POST ${webhookPath}/deliveries/<delivery>/cancel`],
  [202, `POST ${webhookPath}/replays`, { since }],
  [409, `POST ${webhookPath}/replays`, { since }],
  [409, `POST ${webhookPath}/replays/<over>/cancel`],
  [202, 'POST /api/modules/<module>/update-usages', { toVersion: 1, all: true }],
  [409, 'POST /api/modules/<module>/update-usages', { toVersion: 1, all: true }],
  [409, 'POST /api/modules/<module>/usage-updates/<ended>/cancel'],
  ...['template', 'module'].flatMap((kind): [number, string, object][] => [
    [201, `POST /api/${kind}s`, takenBy(kind)],
    [409, `POST /api/${kind}s`, takenBy(kind)],
    [409, `PUT /api/${kind}s/<${kind}>`, { externalId: 'goodbye' }],
    [409, `POST /api/${kind}s/batch`, takenBatch(kind)],
  ]),
  [409, 'POST /api/trash/<trashed>/restore'],
  [412, 'POST /api/templates/batch', staleBatch('template')],
  [412, 'POST /api/modules/batch', staleBatch('module')],
  [413, 'POST /api/templates', oversizedBody(1)],
  [413, 'POST /api/templates/batch', oversizedBody(16)],
  [413, 'POST /api/modules/batch', oversizedBody(16)],
];
const provokedMessages = new Set<string>();

it.each(cases)('%i of %s has the documented example', async (...sent) => {
  const [status, route, body = NO_BODY, headers] = sent;
  const withIds = (text: string) =>
    text.replace(/<(\w+)>/g, (placeholder, name: string) => ids[name] ?? placeholder);
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  const text = body === NO_BODY ? undefined : withIds(json);
  const response = await world.send<ErrorResponse>([
    '',
    status,
    withIds(route),
    text,
    headers as Record<string, string> | undefined,
  ]);
  expect([response.status, response.text]).toEqual([status, response.text]);
  if (status < 300) return;
  const [method = '', path = ''] = world.fill(withIds(route)).split(' ');
  const example = examplesOf(findOperation(method, path)?.responses[status])[0];
  // The ETag in the message differs in every run.
  const withoutEtag = ({ ...errorFields }: object) =>
    JSON.stringify(errorFields).replace(/\\"\w+\\"/g, 'a tag');
  expect(withoutEtag(response.body)).toBe(withoutEtag(example ?? {}));
  provokedMessages.add(example?.message ?? '');
});

it('every documented error occurs', () => {
  const documentedErrors = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(examplesOf),
  );
  const fixedMessages = Object.values(errorCodes).flatMap((definition) =>
    'message' in definition ? [definition.message] : [],
  );
  const testedElsewhere = [
    ...fixedMessages,
    KEY_IN_USE,
    'The database does not respond.',
    // rate-limits.test.ts compares the whole of this message.
    'Too many requests: the limit is 6000 requests in 60 seconds for each user or API key. Retry in 42 seconds.',
  ];
  const coveredMessages = new Set([...provokedMessages, ...testedElsewhere]);
  const uncoveredMessages = documentedErrors
    .filter(({ message }) => !coveredMessages.has(message))
    .map(({ message }) => message);
  expect([...new Set(uncoveredMessages)]).toEqual([]);
});

/** The error examples of a response. A success has none. */
function examplesOf(response: object | undefined): ErrorResponse[] {
  const { content } = resolve<Response>(response as Response);
  const example = content?.['application/json']?.example as ErrorResponse | undefined;
  return example && 'statusCode' in example ? [example] : [];
}
