import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { responseExamples } from '../../../apps/api/openapi/examples/response-examples.js';
import {
  EXAMPLE_URL,
  exampleIds,
  requestExamples,
} from '../../../apps/api/openapi/examples/request-examples.js';
import type { Client } from '../../support/api/client.js';
import { eventually } from '../../support/eventually.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import {
  isUpload,
  operations,
  resolve,
  type Parameter,
  type Response,
} from '../../support/api/openapi.js';
import { signInUsers } from '../../support/galley/users.js';
import { pictureForm } from '../../support/pictures.js';
import { Receiver } from '../../support/webhooks/receiver.js';

/** Values of parameters that are not ids. */
const constants: Record<string, string> = {
  version: '1',
  today: new Date().toISOString(),
  day: '1d',
  staging: 'staging',
  unsub: 'unsub',
  welcome: 'welcome',
  footer: 'footer',
  pt: 'pt',
};

type IdName = keyof typeof exampleIds;

interface Body {
  id?: string;
  attempts?: number;
  data?: { id?: string; template?: { id: string }; module?: { id: string }; status?: string }[];
}

let galley: Galley;
let ada: Client;
let receiver: Receiver;
/** The ids and the URL of this run, keyed by the ids and the URL in the examples. */
const actualValues = new Map<string, string>();

beforeAll(async () => {
  receiver = await Receiver.start();
  galley = await startGalley({ worker: true, mailServer: true, pictures: true });
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

/** Replaces ids, times, secrets and durations, which differ between runs, also in JSON inside a string. */
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
      .replace(/"commit":"[\w-]+"/, '"commit":"a commit"')
      .replace(/"(Galley\/[^+"]+)\+[\w-]+"/g, '"$1"')
      .replace(/"(durationMs|p50|p95)":\d+/g, '"$1":1')
      .replace(/assets\/[\da-f]{64}/g, 'assets/a digest')
      .replace(/"messageId":"[^"]+"/, '"messageId":"an id"'),
  );

function expectExample(text: string, example: unknown): void {
  expect(withoutRandomValues(text || 'null')).toEqual(
    withoutRandomValues(JSON.stringify(example ?? null)),
  );
}

/**
 * The operations, in an order in which their examples can be sent. After a creation, the new id replaces
 * the id in the later examples.
 */
const steps: [
  operationId: string,
  parameters?: Record<string, string>,
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
  ['getTemplateByExternalId', { externalId: 'welcome', workspaceId: 'workspace' }],
  ['upsertTemplate', { externalId: 'welcome', workspaceId: 'workspace' }],
  ['renderTemplate', { id: 'template' }],
  ['render'],
  ['sendTestEmail', { id: 'template' }],
  ['checkTemplate', { id: 'template' }],
  ['check'],
  ['importDocument'],
  ['changeCheckSettings', { id: 'workspace' }],
  ['getCheckSettings', { id: 'workspace' }],
  ['listDeliveries', { id: 'webhook' }, 'delivery', isDelivered],
  ['getDelivery', { id: 'webhook', deliveryId: 'delivery' }],
  ['getWebhookStats', { id: 'webhook', from: 'today', step: 'day' }],
  ['getWorkspaceWebhookStats', { workspaceId: 'workspace', from: 'today', step: 'day' }],
  ['getWebhookHealth', { id: 'webhook' }],
  ['startReplay', { id: 'webhook' }, 'replay'],
  ['listReplays', { id: 'webhook' }, 'replay', ({ data }) => data?.[0]?.status === 'done'],
  ['readEvents', { workspaceId: 'workspace' }, undefined, ({ data }) => data?.length === 1],
  ['updateTemplate', { id: 'template' }],
  ['listTemplateVersions', { id: 'template' }],
  ['getTemplateVersion', { id: 'template', version: 'version' }],
  ['compareTemplateVersions', { id: 'template', from: 'version' }],
  ['labelTemplateVersion', { id: 'template', version: 'version' }],
  ['restoreTemplateVersion', { id: 'template', version: 'version' }],
  ['createEnvironment', { id: 'workspace' }],
  ['listEnvironments', { id: 'workspace' }],
  ['publishTemplate', { id: 'template' }, 'publication'],
  ['getPublishedTemplate', { id: 'template', environment: 'staging' }],
  ['unpublishTemplate', { id: 'template' }, 'laterPublication'],
  ['listPublications', { id: 'template' }],
  ['listScheduledPublications', { id: 'template' }, 'scheduledPublication'],
  ['listWorkspaceScheduledPublications', { id: 'workspace' }],
  ['cancelScheduledPublication', { id: 'template', publicationId: 'scheduledPublication' }],
  ['deleteEnvironment', { id: 'workspace', environment: 'staging' }],
  ['listTemplates', { workspaceId: 'workspace' }],
  ['duplicateTemplate', { id: 'template' }, 'templateCopy'],
  ['createModule', {}, 'module'],
  ['getModuleByExternalId', { externalId: 'footer', workspaceId: 'workspace' }],
  ['upsertModule', { externalId: 'footer', workspaceId: 'workspace' }],
  ['batchTemplates', {}, 'batchedTemplate'],
  ['listModuleUsages', { id: 'module' }],
  ['getModule', { id: 'module' }],
  ['updateModule', { id: 'module' }],
  ['listModuleVersions', { id: 'module' }],
  ['getModuleVersion', { id: 'module', version: 'version' }],
  ['compareModuleVersions', { id: 'module', from: 'version' }],
  ['labelModuleVersion', { id: 'module', version: 'version' }],
  ['restoreModuleVersion', { id: 'module', version: 'version' }],
  ['updateModuleUsages', { id: 'module' }, 'usageUpdate'],
  [
    'listModuleUsageUpdates',
    { id: 'module' },
    'usageUpdate',
    ({ data }) => data?.[0]?.status === 'done',
  ],
  ['listModules', { workspaceId: 'workspace' }],
  ['duplicateModule', { id: 'module' }, 'moduleCopy'],
  ['batchModules', {}, 'batchedModule'],
  ['uploadAsset', { workspaceId: 'workspace' }, 'asset'],
  ['getAsset', { id: 'asset' }],
  ['listAssets', { workspaceId: 'workspace' }],
  ['listAssetUsages', { id: 'asset' }],
  ['getStorageUsage', { id: 'workspace' }],
  ['updateAsset', { id: 'asset' }],
  ['replaceAsset', { id: 'asset' }],
  ['deleteAsset', { id: 'asset' }],
  ['restoreAsset', { id: 'asset' }],
  ['listTrash', { workspaceId: 'workspace' }],
  ['restoreFromTrash', { id: 'moduleCopy' }],
  ['purgeFromTrash', { id: 'templateCopy' }],
  [
    'search',
    { workspaceId: 'workspace', query: 'unsub' },
    undefined,
    ({ data }) => data?.length === 2,
  ],
  ['listTags', { workspaceId: 'workspace' }],
  ['renameTag'],
  ['removeTag'],
  ['storeTemplateTranslations', { id: 'template', language: 'pt' }],
  ['listTemplateTranslations', { id: 'template' }],
  ['getTemplateTranslations', { id: 'template', language: 'pt' }],
  ['storeModuleTranslations', { id: 'module', language: 'pt' }],
  ['listModuleTranslations', { id: 'module' }],
  ['getModuleTranslations', { id: 'module', language: 'pt' }],
  ['publishTemplates', { id: 'workspace' }],
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
  ['deleteTemplate', { id: 'template' }],
  ['deleteTemplate', { id: 'batchedTemplate' }],
  ['deleteModule', { id: 'module' }],
  ['deleteModule', { id: 'moduleCopy' }],
  ['deleteModule', { id: 'batchedModule' }],
  ['deleteAsset', { id: 'asset' }],
  ['deleteWorkspace', { id: 'workspace' }],
];

/** A blue PNG of 2 × 2 pixels, and a red one. Fixed bytes, because the examples have their sizes. */
const BLUE =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mNQCDgBRAwQCgAfjgThwSDb9AAAAABJRU5ErkJggg==';
const RED =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mM4IScHRAwQCgAfJgQRSo6NIAAAAABJRU5ErkJggg==';

/** The forms of uploads, which JSON cannot show. */
const uploads: Record<string, () => FormData> = {
  uploadAsset: () =>
    pictureForm({ name: 'Logo', tags: 'brand' }, Buffer.from(BLUE, 'base64'), 'logo.png'),
  replaceAsset: () => pictureForm({}, Buffer.from(RED, 'base64'), 'spring.png'),
};

/** What a step needs and no example creates. */
const preparations: Record<string, () => Promise<unknown>> = {
  listScheduledPublications: () =>
    ada.post(`/api/templates/${actualValues.get(exampleIds.template)}/publish`, {
      environment: 'staging',
      version: 2,
      note: 'Spring campaign',
      at: '2099-03-20T07:00:00.000Z',
    }),
};

it.each(steps)('%s', async (operationId, parameters = {}, createsId, isComplete = () => true) => {
  const operation = operations.find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`There is no ${operationId}.`);
  const valueOf = (name: string) => {
    const value = parameters[name] ?? '';
    const id = exampleIds[value as IdName] as string | undefined;
    return constants[value] ?? actualValues.get(id ?? '') ?? '';
  };
  const query = (operation.parameters ?? [])
    .map((each) => resolve<Parameter>(each))
    .filter(({ name, in: location }) => location === 'query' && name in parameters)
    .map(({ name }) => `${name}=${valueOf(name)}`)
    .join('&');
  const path = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => valueOf(name));
  const example = isUpload(operation)
    ? undefined
    : operation.requestBody?.content['application/json'].example;
  expect(example === undefined).toBe(operation.requestBody === undefined || isUpload(operation));
  const send = async (headers: Record<string, string> = {}) => {
    const body = isUpload(operation)
      ? uploads[operationId]?.()
      : example === undefined
        ? undefined
        : toActual(JSON.stringify(example));
    const response = await ada.raw<Body | undefined>(
      operation.method,
      query ? `${path}?${query}` : path,
      body,
      { ...(typeof body === 'string' && { 'content-type': 'application/json' }), ...headers },
    );
    return (response.status >= 400 || isComplete(response.body ?? {})) && response;
  };
  await preparations[operationId]?.();
  const response = await eventually(operationId, () => send());
  const first = response.body?.data?.[0];
  const createdId = response.body?.id ?? first?.id ?? first?.template?.id ?? first?.module?.id;
  if (createsId && createdId) actualValues.set(exampleIds[createsId], createdId);
  expect([response.status < 300, response.text]).toEqual([true, response.text]);
  const location = response.headers.get('location');
  if (location !== null) expect((await ada.get(location)).status).toBe(200);
  const documented = resolve<Response>(operation.responses[response.status] ?? { description: '' });
  const { 'application/json': json, ...alternatives } = documented.content ?? {};
  expectExample(response.text, json?.example);
  for (const [mediaType, alternative] of Object.entries(alternatives)) {
    const { text } = (await send({ accept: mediaType })) || response;
    expectExample(text, alternative?.example);
  }
});

it('the examples cover every operation', () => {
  const coveredOperations = new Set(steps.map(([operationId]) => operationId));
  const withExamples = [...Object.keys(requestExamples), ...Object.keys(responseExamples)];
  expect(withExamples.filter((operationId) => !coveredOperations.has(operationId))).toEqual([]);
});
