import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createMany,
  kinds,
  resourceOf,
  type BatchResponse,
  type Kind,
} from '../../support/api/batches.js';
import type { Client } from '../../support/api/client.js';
import { useSharedGalley } from '../../support/galley/shared-galley.js';

const EXISTING_COUNT = 5;

const galley = useSharedGalley();
let ada: Client;

beforeAll(async () => {
  ada = await galley.clientFor('ada');
});

interface Operation {
  action: 'create' | 'update' | 'delete';
  /** The index of an existing resource; -1 for a new one. */
  target: number;
  /** JSON text, so that documents are sent in exactly this spelling. */
  fields: Record<string, string>;
}

const textArbitrary = fc.constantFrom('"A"', '" A\\t"', '"B"');
const documentArbitrary = fc.constantFrom(
  '{}',
  '{"a":1}',
  '{ "a" : 1.0 }',
  '{"a":1,"b":2}',
  '{"b":2,"a":1}',
);

function arbitraryOperations({ name }: Kind): fc.Arbitrary<Operation[]> {
  const moduleFields = { category: textArbitrary, description: textArbitrary };
  const fields = {
    name: textArbitrary,
    content: documentArbitrary,
    ...(name === 'module' && moduleFields),
  };
  const someFields = fc.record(fields, { requiredKeys: [] });
  const operation = fc.oneof(
    fc.record({
      action: fc.constant('create' as const),
      target: fc.constant(-1),
      fields: fc.record(fields, {
        requiredKeys: name === 'module' ? ['name', 'content'] : ['name'],
      }),
    }),
    fc.record({
      action: fc.constant('update' as const),
      target: fc.nat(EXISTING_COUNT - 1),
      fields: someFields.filter((generated) => Object.keys(generated).length > 0),
    }),
    fc.record({
      action: fc.constant('delete' as const),
      target: fc.nat(EXISTING_COUNT - 1),
      fields: fc.constant({}),
    }),
  );
  const isFirstForTarget = ({ target }: Operation, at: number, list: Operation[]) =>
    target < 0 || list.findIndex((other) => other.target === target) === at;
  return fc
    .array(operation, { minLength: 1, maxLength: 10 })
    .map((generated) => generated.filter(isFirstForTarget));
}

const toJson = (fields: Record<string, string>) =>
  `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;

const send = <Body>(method: string, path: string, body: Record<string, string>) =>
  ada.raw<Body>(method, path, toJson(body), { 'content-type': 'application/json' });

interface Fixture {
  workspaceId: string;
  /** The ids of the existing resources, and of the resources that earlier operations have created. */
  ids: string[];
}

async function createFixture(kind: Kind): Promise<Fixture> {
  const { id: workspaceId } = await galley.createWorkspaceFor('ada');
  return { workspaceId, ids: await createMany(ada, kind, workspaceId, EXISTING_COUNT) };
}

async function applyAsBatch(
  kind: Kind,
  fixture: Fixture,
  operations: Operation[],
): Promise<object[]> {
  const { workspaceId, ids } = fixture;
  const operationTexts = operations.map(({ action, target, fields }) =>
    toJson({
      action: `"${action}"`,
      ...(target >= 0 && { id: `"${ids[target] ?? ''}"` }),
      ...fields,
    }),
  );
  const body = { workspaceId: `"${workspaceId}"`, operations: `[${operationTexts.join(',')}]` };
  const response = await send<BatchResponse>('POST', `${kind.path}/batch`, body);
  expect([response.text, response.status]).toEqual([response.text, 200]);
  const created = response.body.data.filter(({ action }) => action === 'create');
  ids.push(...created.map((result) => resourceOf(result).id));
  return response.body.data;
}

async function applyOneByOne(
  kind: Kind,
  { workspaceId, ids }: Fixture,
  operations: Operation[],
): Promise<object[]> {
  const results: object[] = [];
  for (const { action, target, fields } of operations) {
    const id = ids[target] ?? '';
    if (action === 'delete') {
      await ada.delete(`${kind.path}/${id}`);
      results.push({ action, id });
      continue;
    }
    const { body } =
      action === 'create'
        ? await send<{ id: string; content: object }>('POST', kind.path, {
            workspaceId: `"${workspaceId}"`,
            ...fields,
          })
        : await send<{ id: string; content: object }>('PUT', `${kind.path}/${id}`, fields);
    const { content, ...summary } = body;
    if (action === 'create') ids.push(body.id);
    results.push({ action, [kind.name]: summary });
  }
  return results;
}

/** Everything that clients can see of a workspace, without ids and times. */
async function observableState(
  kind: Kind,
  { workspaceId, ids }: Fixture,
  results: object[],
): Promise<string[]> {
  const events = await galley.eventsOf(workspaceId);
  const paths = ids.map((id) => `${kind.path}/${id}`);
  const histories =
    kind.name === 'template' ? paths.map((path) => `${path}/versions?content=true`) : [];
  const read = await Promise.all([...paths, ...histories].map((path) => ada.get(path)));
  const stored = read.map(({ status, text }) => `${status} ${text}`);
  return [...results, ...events, ...stored].map((entry) => {
    const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
    return text
      .replaceAll(workspaceId, 'workspace')
      .replace(/[\da-f]{8}-[\da-f-]{27}/g, (id) => (ids.includes(id) ? `#${ids.indexOf(id)}` : id))
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  });
}

it.each(kinds)(
  'a batch of $path has the same effect as its operations one by one',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(arbitraryOperations(kind), async (operations) => {
        const [batchFixture, sequentialFixture] = await Promise.all([
          createFixture(kind),
          createFixture(kind),
        ]);
        const batchResults = await applyAsBatch(kind, batchFixture, operations);
        const sequentialResults = await applyOneByOne(kind, sequentialFixture, operations);
        expect(await observableState(kind, batchFixture, batchResults)).toEqual(
          await observableState(kind, sequentialFixture, sequentialResults),
        );
      }),
      { numRuns: 12 },
    );
  },
);
