import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/api/client.js';
import { findOperation, operations, resolve, type Operation } from '../../support/api/openapi.js';
import { callRoute, isRead, namesIn, routes, type Ids } from '../../support/api/routes.js';
import { snapshot } from '../../support/galley/database-snapshot.js';
import { startGalley, type Galley } from '../../support/galley/galley.js';
import { createResources } from '../../support/galley/resources.js';

let galley: Galley;
let ada: Client;
let ids: Ids;

beforeAll(async () => {
  galley = await startGalley({ pictures: true });
  ada = await galley.clientFor('ada');
  const { id: workspace } = await galley.createWorkspaceFor('ada');
  const bob = await galley.clientFor('bob');
  const { user } = (await bob.get<{ user: { id: string } }>('/api/auth/me')).body;
  const resources = await createResources(ada, galley.database, workspace, routes.flatMap(namesIn));
  ids = { ...resources, workspace, member: user.id, newcomer: user.id };
});
afterAll(() => galley.stop());

const writes = operations.filter(({ method }) => method !== 'GET');
const hasParameter = ({ parameters = [] }: Operation, name: string) =>
  parameters.some((parameter) => resolve(parameter).name === name);
const acceptsIfMatch = (operation: Operation) => hasParameter(operation, 'If-Match');

/** All writes as the table of routes calls them, each with its operation in openapi.json. */
const calls = routes
  .filter((route) => !isRead(route))
  .map((route) => {
    const [method = '', path = ''] = route.route.split(' ');
    const operation = findOperation(method, path);
    if (operation === undefined) throw new Error(`openapi.json lacks ${route.route}.`);
    return { route, operation };
  });

it('every write of openapi.json is in the table', () => {
  const idsOf = (all: { operationId: string }[]) =>
    all.map(({ operationId }) => operationId).sort();
  expect(idsOf(calls.map(({ operation }) => operation))).toEqual(idsOf(writes));
});

// No state has this tag: it names a time before Galley existed.
const STALE_TAG = '"k0"';

describe.each(calls)('$route.route', ({ route, operation }) => {
  const refusalOf = (name: string) => [
    400,
    'precondition_unsupported',
    [{ path: name, message: `${name} is not supported here` }],
  ];

  it.each(['If-Match', 'If-None-Match'])('does not ignore a stale %s', async (name) => {
    const before = await snapshot(galley.database);
    const client = ada.with({ [name]: STALE_TAG });
    const { status, body, headers } = await callRoute<{ code: string; details?: object }>(
      client,
      route,
      ids,
    );
    if (name === 'If-Match' && acceptsIfMatch(operation)) {
      expect([status, body.code, headers.get('etag')]).toEqual([
        412,
        'stale',
        expect.stringMatching(/^".+"$/),
      ]);
    } else {
      expect([status, body.code, body.details]).toEqual(refusalOf(name));
    }
    expect(await snapshot(galley.database)).toEqual(before);
  });

  it('documents what it does with If-Match', () => {
    const { description } = resolve(operation.responses['400'] ?? { description: '' });
    // The operations of a batch have preconditions of their own.
    const mayBeStale = acceptsIfMatch(operation) || operation.path.endsWith('/batch');
    expect(['412' in operation.responses, description]).toEqual([
      mayBeStale,
      expect.stringContaining('`precondition_unsupported`'),
    ]);
  });
});

it('everything that is replaced as a whole has an ETag, and PUT honours If-Match', () => {
  const hasEtag = ({ responses }: Operation) => {
    const { headers = {} } = resolve(responses['200'] ?? { description: '' });
    return 'ETag' in headers;
  };
  const unprotected = operations
    .filter(({ method }) => method === 'PUT')
    .filter((put) => {
      const get = operations.find(({ method, path }) => method === 'GET' && path === put.path);
      return !acceptsIfMatch(put) || !hasEtag(put) || get === undefined || !hasEtag(get);
    })
    .map(({ operationId }) => operationId);
  // The ETag for `replaceAsset` is that of the picture's description.
  // `changeMemberRole` sets a single value, whatever it was before, and so overwrites nothing that its caller has not seen.
  // The ETag for translations is that of the document that contains them.
  expect(unprotected.sort()).toEqual([
    'changeMemberRole',
    'replaceAsset',
    'storeModuleTranslations',
    'storeTemplateTranslations',
  ]);
});

it('a caller without a token gets 401, whatever the precondition', async () => {
  const client = galley.anonymous.with({ 'If-Match': STALE_TAG });
  expect((await client.post('/api/templates', { name: 'A' })).status).toBe(401);
});
