import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { responseExamples } from '../../../apps/api/openapi/response-examples.js';
import {
  EXAMPLE_URL,
  exampleIds,
  requestExamples,
} from '../../../apps/api/openapi/request-examples.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { operations, resolve, type Parameter, type Response } from '../../support/api/openapi.js';
import { signInUsers } from '../../support/galley/users.js';
import { Receiver } from '../../support/webhooks/receiver.js';

type IdName = keyof typeof exampleIds | 'version';

interface Body {
  id?: string;
  attempts?: number;
  data?: { id?: string; template?: { id: string }; status?: string }[];
}

let galley: Galley;
let ada: Client;
let receiver: Receiver;
/** The real ids and URL of this run, by those of the examples. */
const actualValues = new Map<string, string>();

beforeAll(async () => {
  receiver = await Receiver.start();
  galley = await startGalley({ worker: true });
  const users = await signInUsers(galley, ['ada', 'grace']);
  ada = users.ada.client;
  actualValues.set(exampleIds.user, users.ada.id);
  actualValues.set(exampleIds.colleague, users.grace.id);
  actualValues.set(EXAMPLE_URL, receiver.url);
});
afterAll(async () => {
  await galley.stop();
  await receiver.stop();
});

const toActual = (text: string): string =>
  [...actualValues].reduce(
    (result, [example, actualValue]) => result.replaceAll(example, actualValue),
    text,
  );
const toExample = (text: string): string =>
  [...actualValues].reduce(
    (result, [example, actualValue]) => result.replaceAll(actualValue, example),
    text,
  );

const isDelivered = ({ data }: Body) => data?.[0]?.status === 'delivered';

/** Replaces everything that differs between runs, in every spelling. */
const withoutRandomValues = (json: string): unknown =>
  JSON.parse(
    toExample(json)
      .replace(/[\da-f]{8}-[\da-f]{4}-7[\da-f-]{21}/g, (id) =>
        actualValues.has(id) ? id : 'an id',
      )
      .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"a time"')
      .replace(/\\"\d{4}-\d\d-\d\dT[\d:.]+Z\\"/g, '\\"a time\\"')
      .replace(/"(whsec_|glk_|v1,|t=)[^"]+"/g, '"a secret"')
      .replace(/"date":"[^"]+"/, '"date":"now"')
      .replace(/"webhook-timestamp":"\d+"/, '"webhook-timestamp":"now"')
      .replace(/"durationMs":\d+/g, '"durationMs":1'),
  );

/**
 * In the order in which the examples can be sent. After a creation, the new id replaces the example's id.
 */
const steps: [
  operationId: string,
  parameters?: Record<string, IdName>,
  makes?: IdName,
  until?: (response: Body) => boolean,
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
  ['batchTemplates', {}, 'batchedTemplate'],
  ['createModule', {}, 'module'],
  ['getModule', { id: 'module' }],
  ['updateModule', { id: 'module' }],
  ['listModules', { workspaceId: 'workspace' }],
  ['duplicateModule', { id: 'module' }, 'moduleCopy'],
  ['batchModules'],
  ['getWebhookSecret', { id: 'webhook' }],
  ['rotateWebhookSecret', { id: 'webhook' }],
  ['testWebhook', { id: 'webhook' }, 'testDelivery'],
  ['disableWebhook', { id: 'webhook' }],
  ['enableWebhook', { id: 'webhook' }],
  ['listWebhookTransitions', { id: 'webhook' }],
  ['createKey', { id: 'workspace' }, 'apiKey'],
  ['listKeys', { id: 'workspace' }],
  ['revokeKey', { id: 'workspace', keyId: 'apiKey' }],
  ['removeMember', { id: 'workspace', userId: 'colleague' }],
  ['deleteWebhook', { id: 'webhook' }],
  ['deleteModule', { id: 'module' }],
  ['deleteTemplate', { id: 'template' }],
  ['deleteTemplate', { id: 'batchedTemplate' }],
  ['deleteWorkspace', { id: 'workspace' }],
];

it.each(steps)('%s', async (operationId, parameters = {}, createsId, isComplete = () => true) => {
  const operation = operations.find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`There is no ${operationId}.`);
  const valueOf = (name: string) => {
    const idName = parameters[name];
    return idName === 'version' ? '1' : (actualValues.get(idName ? exampleIds[idName] : '') ?? '');
  };
  const query = (operation.parameters ?? [])
    .map((each) => resolve<Parameter>(each))
    .filter(({ name, in: location }) => location === 'query' && name in parameters)
    .map(({ name }) => `${name}=${valueOf(name)}`)
    .join('&');
  const path = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => valueOf(name));
  const example = operation.requestBody?.content['application/json'].example;
  expect(example === undefined).toBe(operation.requestBody === undefined);
  const send = async () => {
    const body = example === undefined ? undefined : toActual(JSON.stringify(example));
    const response = await ada.raw<Body | undefined>(
      operation.method,
      query ? `${path}?${query}` : path,
      body,
      body ? { 'content-type': 'application/json' } : {},
    );
    return (response.status >= 400 || isComplete(response.body ?? {})) && response;
  };
  const response = await eventually(operationId, send);
  const first = response.body?.data?.[0];
  const createdId = response.body?.id ?? first?.id ?? first?.template?.id;
  if (createsId && createsId !== 'version' && createdId)
    actualValues.set(exampleIds[createsId], createdId);
  expect([response.status < 300, response.text]).toEqual([true, response.text]);
  const location = response.headers.get('location');
  if (location !== null) expect((await ada.get(location)).status).toBe(200);
  const documented = resolve<Response>(operation.responses[response.status] ?? { description: '' });
  const documentedExample = documented.content?.['application/json'].example;
  expect(withoutRandomValues(response.text || 'null')).toEqual(
    withoutRandomValues(JSON.stringify(documentedExample ?? null)),
  );
});

it('the examples cover every operation', () => {
  const coveredOperations = new Set(steps.map(([operationId]) => operationId));
  const withExamples = [...Object.keys(requestExamples), ...Object.keys(responseExamples)];
  expect(withExamples.filter((operationId) => !coveredOperations.has(operationId))).toEqual([]);
});
