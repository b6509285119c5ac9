import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { answerExamples } from '../../apps/api/openapi/answer-examples.js';
import { EXAMPLE_URL, exampleIds, requestExamples } from '../../apps/api/openapi/examples.js';
import type { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startGalley, type Galley } from '../support/galley.js';
import { operations, resolve, type Parameter, type Response } from '../support/openapi.js';
import { peopleOf } from '../support/people.js';
import { Sink } from '../support/sink.js';

type Name = keyof typeof exampleIds | 'version';

interface Body {
  id?: string;
  attempts?: number;
  data?: { id?: string; template?: { id: string }; status?: string }[];
}

let galley: Galley;
let ada: Client;
let sink: Sink;
/** What the ids and the address of the examples are in this run. */
const actual = new Map<string, string>();

beforeAll(async () => {
  sink = await Sink.start();
  galley = await startGalley({ worker: true });
  const people = await peopleOf(galley, ['ada', 'grace']);
  ada = people.ada.client;
  actual.set(exampleIds.user, people.ada.id);
  actual.set(exampleIds.colleague, people.grace.id);
  actual.set(EXAMPLE_URL, sink.url);
});
afterAll(async () => {
  await galley.stop();
  await sink.stop();
});

const toActual = (text: string): string =>
  [...actual].reduce((made, [example, real]) => made.replaceAll(example, real), text);
const toExample = (text: string): string =>
  [...actual].reduce((made, [example, real]) => made.replaceAll(real, example), text);

const isDelivered = ({ data }: Body) => data?.[0]?.status === 'delivered';

/** With what differs from run to run, however it is told, replaced by what it is. */
const withoutChance = (json: string): unknown =>
  JSON.parse(
    toExample(json)
      .replace(/[\da-f]{8}-[\da-f]{4}-7[\da-f-]{21}/g, (id) => (actual.has(id) ? id : 'an id'))
      .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"a time"')
      .replace(/\\"\d{4}-\d\d-\d\dT[\d:.]+Z\\"/g, '\\"a time\\"')
      .replace(/"(whsec_|glk_|v1,|t=)[^"]+"/g, '"a secret"')
      .replace(/"date":"[^"]+"/, '"date":"now"')
      .replace(/"webhook-timestamp":"\d+"/, '"webhook-timestamp":"now"')
      .replace(/"durationMs":\d+/g, '"durationMs":1'),
  );

/** In the order in which they can be sent. What is made is, from then on, what the example's id stands for. */
const story: [
  operationId: string,
  parameters?: Record<string, Name>,
  makes?: Name,
  until?: (answer: Body) => boolean,
][] = [
  ['getLiveness'],
  ['getReadiness'],
  ['getCurrentUser'],
  ['createWorkspace', {}, 'workspace'],
  ['listAuditEntries', { id: 'workspace' }],
  ['listWorkspaces'],
  ['getWorkspace', { id: 'workspace' }],
  ['renameWorkspace', { id: 'workspace' }],
  ['addMember', { id: 'workspace' }],
  ['changeMemberRole', { id: 'workspace', userId: 'colleague' }],
  ['listMembers', { id: 'workspace' }],
  ['createWebhook', {}, 'webhook'],
  ['getWebhook', { id: 'webhook' }],
  ['updateWebhook', { id: 'webhook' }],
  ['listWebhooks', { workspaceId: 'workspace' }],
  ['cancelDeliveries', { id: 'webhook' }],
  ['retryDeliveries', { id: 'webhook' }],
  ['createTemplate', {}, 'template'],
  ['getTemplate', { id: 'template' }],
  ['listDeliveries', { id: 'webhook' }, 'delivery', isDelivered],
  ['getDelivery', { id: 'webhook', deliveryId: 'delivery' }],
  ['startReplay', { id: 'webhook' }, 'replay'],
  ['listReplays', { id: 'webhook' }, 'replay', ({ data }) => data?.[0]?.status === 'done'],
  ['readEvents', { workspaceId: 'workspace' }, undefined, ({ data }) => data?.length === 1],
  ['updateTemplate', { id: 'template' }],
  ['listTemplateVersions', { id: 'template' }],
  ['getTemplateVersion', { id: 'template', version: 'version' }],
  ['restoreTemplateVersion', { id: 'template', version: 'version' }],
  ['listTemplates', { workspaceId: 'workspace' }],
  ['duplicateTemplate', { id: 'template' }, 'templateCopy'],
  ['batchTemplates', {}, 'batched'],
  ['createModule', {}, 'module'],
  ['getModule', { id: 'module' }],
  ['updateModule', { id: 'module' }],
  ['listModules', { workspaceId: 'workspace' }],
  ['duplicateModule', { id: 'module' }, 'moduleCopy'],
  ['batchModules'],
  ['getWebhookSecret', { id: 'webhook' }],
  ['rotateWebhookSecret', { id: 'webhook' }],
  ['testWebhook', { id: 'webhook' }, 'test'],
  ['disableWebhook', { id: 'webhook' }],
  ['enableWebhook', { id: 'webhook' }],
  ['listWebhookTransitions', { id: 'webhook' }],
  ['createKey', { id: 'workspace' }, 'key'],
  ['listKeys', { id: 'workspace' }],
  ['revokeKey', { id: 'workspace', keyId: 'key' }],
  ['removeMember', { id: 'workspace', userId: 'colleague' }],
  ['deleteWebhook', { id: 'webhook' }],
  ['deleteModule', { id: 'module' }],
  ['deleteTemplate', { id: 'template' }],
  ['deleteTemplate', { id: 'batched' }],
  ['deleteWorkspace', { id: 'workspace' }],
];

it.each(story)('%s', async (operationId, parameters = {}, makes, until = () => true) => {
  const operation = operations.find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`There is no ${operationId}.`);
  const valueOf = (name: string) => {
    const given = parameters[name];
    return given === 'version' ? '1' : (actual.get(given ? exampleIds[given] : '') ?? '');
  };
  const query = (operation.parameters ?? [])
    .map((each) => resolve<Parameter>(each))
    .filter(({ name, in: where }) => where === 'query' && name in parameters)
    .map(({ name }) => `${name}=${valueOf(name)}`)
    .join('&');
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => valueOf(name));
  const example = operation.requestBody?.content['application/json'].example;
  expect(example === undefined).toBe(operation.requestBody === undefined);
  const send = async () => {
    const body = example === undefined ? undefined : toActual(JSON.stringify(example));
    const answer = await ada.raw<Body | undefined>(
      operation.method,
      query ? `${path}?${query}` : path,
      body,
      body ? { 'content-type': 'application/json' } : {},
    );
    return (answer.status >= 400 || until(answer.body ?? {})) && answer;
  };
  const answer = await eventually(operationId, send);
  const first = answer.body?.data?.[0];
  const made = answer.body?.id ?? first?.id ?? first?.template?.id;
  if (makes && makes !== 'version' && made) actual.set(exampleIds[makes], made);
  expect([answer.status < 300, answer.text]).toEqual([true, answer.text]);
  const location = answer.headers.get('location');
  if (location !== null) expect((await ada.get(location)).status).toBe(200);
  const documented = resolve<Response>(operation.responses[answer.status] ?? { description: '' });
  const promised = documented.content?.['application/json'].example;
  expect(withoutChance(answer.text || 'null')).toEqual(
    withoutChance(JSON.stringify(promised ?? null)),
  );
});

it('has told the whole story', () => {
  const told = new Set(story.map(([operationId]) => operationId));
  const withExamples = [...Object.keys(requestExamples), ...Object.keys(answerExamples)];
  expect(withExamples.filter((operationId) => !told.has(operationId))).toEqual([]);
});
