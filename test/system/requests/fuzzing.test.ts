import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { invalidValues, validValues } from '../../support/requests/arbitrary-values.js';
import type { ApiResponse } from '../../support/api/api-response.js';
import type { Client } from '../../support/api/client.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import {
  isUpload,
  operations,
  resolve,
  type Operation,
  type Parameter,
} from '../../support/api/openapi.js';
import { signInUsers } from '../../support/galley/users.js';
import { createResources } from '../../support/galley/resources.js';

const REQUESTS = 6_000;
const CONCURRENCY = 10;
// The requests delete resources, so the fixture is created again after this many requests.
const REQUESTS_PER_FIXTURE = 100;
// How many more requests an operation gets if it has not yet accepted or refused one.
const MORE_REQUESTS = 600;

let galley: Galley;
let ada: Client;
let users: Record<'bob' | 'eve', { id: string }>;
/** The ids of a workspace with one resource of each kind, keyed by the names that requests use. */
let fixtureIds: Record<string, string>;

beforeAll(async () => {
  galley = await startGalley({ pictures: true });
  ada = await galley.clientFor('ada');
  users = await signInUsers(galley, ['bob', 'eve']);
});
afterAll(() => galley.stop());

async function createFixture(): Promise<void> {
  const workspace = (await galley.createWorkspaceFor('ada')).id;
  const member = { userId: users.bob.id, role: 'editor' };
  await ada.post(`/api/workspaces/${workspace}/members`, member);
  const documents = [
    'external',
    'template',
    'module',
    'update',
    'trashed',
    'environment',
    'publication',
  ];
  const names = ['key', ...documents, 'asset', 'webhook', 'replay', 'delivery'];
  const resourceIds = await createResources(ada, galley.database, workspace, names);
  await ada.post(`/api/templates/${resourceIds['template']}/publish`, { version: 1 });
  fixtureIds = {
    workspaceId: workspace,
    workspaces: workspace,
    userId: users.bob.id,
    templates: resourceIds['template'] ?? '',
    modules: resourceIds['module'] ?? '',
    trash: resourceIds['trashed'] ?? '',
    assets: resourceIds['asset'] ?? '',
    webhooks: resourceIds['webhook'] ?? '',
    deliveryId: resourceIds['delivery'] ?? '',
    updateId: resourceIds['update'] ?? '',
    environment: resourceIds['environment'] ?? '',
    publicationId: resourceIds['publication'] ?? '',
    replayId: resourceIds['replay'] ?? '',
    keyId: resourceIds['key'] ?? '',
    version: '1',
    language: 'pt',
    externalId: resourceIds['external'] ?? '',
    resourceId: resourceIds['template'] ?? '',
    resourceIds: resourceIds['module'] ?? '',
    newcomer: users.eve.id,
  };
}

interface FuzzedRequest {
  operation: Operation;
  path: string;
  body: string | undefined;
  headers: Record<string, string>;
}

const mostlyFrom = <T>(good: Arbitrary<T>, bad: Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: good }, { weight: 1, arbitrary: bad });
const rarely = <T>(value: Arbitrary<T>) => mostlyFrom(fc.constant(undefined), value);
const nonsense = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('-1', '0', 'null', '1e9', '%', '../..', '01900000-0000-7000-8000-000000000000'),
);
/**
 * Outcomes that this test does not require, because the operation accepts every request, needs a secret, or
 * rarely accepts a random request.
 */
const unreachableOutcomes = [
  'getLiveness refuses',
  'getReadiness refuses',
  'getCurrentUser refuses',
  'receiveProviderMessage accepts',
  'uploadAsset accepts',
  'replaceAsset accepts',
  'restoreAsset accepts',
  'updateModuleUsages accepts',
  'publishTemplate accepts',
  'unpublishTemplate accepts',
  'importDocument accepts',
  // This Galley has no SMTP server.
  'sendTestEmail accepts',
  'publishTemplates accepts',
  'storeTemplateTranslations accepts',
  'storeModuleTranslations accepts',
];
const etagValue = fc.constantFrom('*', '"x"', 'W/"x"', 'x', '', '"a", "b"');

function arbitraryRequest(operation: Operation): Arbitrary<FuzzedRequest> {
  const parameters = (operation.parameters ?? []).map((each) => resolve<Parameter>(each));
  const arbitraryParameters = (
    location: Parameter['in'],
    value: (parameter: Parameter) => Arbitrary<unknown>,
  ) =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === location)
          .map((parameter) => [parameter.name, value(parameter)]),
      ),
    );
  const schema = isUpload(operation)
    ? undefined
    : operation.requestBody?.content['application/json'].schema;
  return fc
    .record({
      path: arbitraryParameters('path', ({ name }) =>
        mostlyFrom(fc.constant(placeholderOf(operation, name)), nonsense),
      ),
      query: arbitraryParameters('query', ({ name, required, schema: parameterSchema }) =>
        required
          ? mostlyFrom(validValues(parameterSchema, name), nonsense)
          : rarely(fc.oneof(validValues(parameterSchema), nonsense)),
      ),
      unknownParameter: rarely(fc.string({ minLength: 1 })),
      headers: arbitraryParameters('header', () => rarely(etagValue)),
      body: schema
        ? mostlyFrom(
            validValues(schema).map(toJson),
            fc.oneof(invalidValues(schema).map(toJson), nonsense),
          )
        : rarely(fc.constantFrom('{}', '{', '[]', '1')),
    })
    .map(({ path, query, unknownParameter, headers, body }) => {
      const queryEntries = Object.entries({
        ...query,
        ...(unknownParameter !== undefined && { [unknownParameter]: 'x' }),
      });
      const search = new URLSearchParams();
      for (const [name, value] of queryEntries)
        if (value !== undefined) search.set(name, toQueryText(value));
      const filledPath = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) =>
        encodeURIComponent(String(path[name])),
      );
      return {
        operation,
        path: `${filledPath}${search.size > 0 ? '?' : ''}${search.toString()}`,
        body: operation.method === 'GET' ? undefined : body,
        headers: Object.fromEntries(
          Object.entries(headers).filter(([, value]) => value !== undefined),
        ) as Record<string, string>,
      };
    });
}

/** A value in a query: texts unchanged, other values as JSON. */
const toQueryText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
const toJson = (value: unknown): string | undefined => JSON.stringify(value);

/**
 * The placeholder for a parameter. A parameter `id` stands for the resource that the path names before it.
 */
const placeholderOf = ({ path }: Operation, name: string): string =>
  `<${name === 'id' ? (/(\w+)\/\{id\}/.exec(path)?.[1] ?? '') : name}>`;

/** Fills in the ids of a body. In a batch, `id` stands for a resource of the kind that the path names. */
const fillBody = ({ path }: Operation, body: string): string =>
  fill(body.replaceAll('<id>', `<${/(\w+)\/batch/.exec(path)?.[1] ?? ''}>`));

const fill = (text: string): string =>
  text
    .replace('<userId>', (name) => (text.startsWith('{') ? '<newcomer>' : name))
    .replace(
      /(?:<|%3C)(\w+)(?:>|%3E)/g,
      (placeholder, name: string) => fixtureIds[name] ?? placeholder,
    );

async function send({
  operation,
  path,
  body,
  headers,
}: FuzzedRequest): Promise<ApiResponse<unknown>> {
  if (body === undefined) return ada.raw(operation.method, fill(path), body, headers);
  const jsonHeaders = { 'content-type': 'application/json' };
  return ada.raw(operation.method, fill(path), fillBody(operation, body), {
    ...jsonHeaders,
    ...headers,
  });
}

it('every request gets a response as documented, and never a 5xx', async () => {
  const seenOutcomes = new Set<string>();
  const sendAll = async (requests: readonly FuzzedRequest[]) => {
    const responses = await Promise.all(requests.map(send));
    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    responses.forEach(({ status }, index) => {
      const { operationId = '' } = requests[index]?.operation ?? {};
      seenOutcomes.add(`${operationId} ${status < 400 ? 'accepts' : 'refuses'}`);
    });
  };
  const arbitraries = new Map(operations.map((each) => [each, arbitraryRequest(each)]));
  const request = fc.oneof(...arbitraries.values());
  const requestGroups = fc.array(request, { minLength: CONCURRENCY, maxLength: CONCURRENCY });
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(requestGroups, async (requests) => {
      if (sent % REQUESTS_PER_FIXTURE === 0) await createFixture();
      await sendAll(requests);
      sent += requests.length;
    }),
    { numRuns: REQUESTS / CONCURRENCY, endOnFailure: true },
  );
  expect(sent).toBe(REQUESTS);
  const missingOutcomes = [];
  for (const [operation, arbitrary] of arbitraries) {
    for (const outcome of ['accepts', 'refuses']) {
      const expected = `${operation.operationId} ${outcome}`;
      if (unreachableOutcomes.includes(expected)) continue;
      for (const more of fc.sample(arbitrary, MORE_REQUESTS)) {
        if (seenOutcomes.has(expected)) break;
        await createFixture();
        await sendAll([more]);
      }
      if (!seenOutcomes.has(expected)) missingOutcomes.push(expected);
    }
  }
  expect(missingOutcomes).toEqual([]);
}, 240_000);
