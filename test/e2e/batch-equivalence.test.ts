import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSome, kinds, resourceOf, type BatchAnswer, type Kind } from '../support/batches.js';
import type { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';

const THERE_BEFORE = 5;

let galley: Galley;
let ada: Client;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.as('ada');
});
afterAll(() => galley.stop());

interface Operation {
  action: 'create' | 'update' | 'delete';
  /** Which of those that are there before; -1 for a new one. */
  target: number;
  /** In JSON, so that documents are sent as they are spelled here. */
  fields: Record<string, string>;
}

const texts = fc.constantFrom('"A"', '" A\\t"', '"B"');
const documents = fc.constantFrom(
  ...['{}', '{"a":1}', '{ "a" : 1.0 }', '{"a":1,"b":2}', '{"b":2,"a":1}'],
);

function operations({ name }: Kind): fc.Arbitrary<Operation[]> {
  const others = { category: texts, description: texts };
  const fields = { name: texts, content: documents, ...(name === 'module' && others) };
  const some = fc.record(fields, { requiredKeys: [] });
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
      target: fc.nat(THERE_BEFORE - 1),
      fields: some.filter((given) => Object.keys(given).length > 0),
    }),
    fc.record({
      action: fc.constant('delete' as const),
      target: fc.nat(THERE_BEFORE - 1),
      fields: fc.constant({}),
    }),
  );
  const isOnce = ({ target }: Operation, at: number, all: Operation[]) =>
    target < 0 || all.findIndex((other) => other.target === target) === at;
  return fc.array(operation, { minLength: 1, maxLength: 10 }).map((given) => given.filter(isOnce));
}

const json = (fields: Record<string, string>) =>
  `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;

const send = <Body>(method: string, path: string, body: Record<string, string>) =>
  ada.raw<Body>(method, path, json(body), { 'content-type': 'application/json' });

interface World {
  workspaceId: string;
  /** Of those that were there before, and of those that were created since. */
  ids: string[];
}

async function newWorld(kind: Kind): Promise<World> {
  const { id: workspaceId } = await galley.workspaceOf('ada');
  return { workspaceId, ids: await createSome(ada, kind, workspaceId, THERE_BEFORE) };
}

async function inBatch(kind: Kind, world: World, given: Operation[]): Promise<object[]> {
  const { workspaceId, ids } = world;
  const list = given.map(({ action, target, fields }) =>
    json({
      action: `"${action}"`,
      ...(target >= 0 && { id: `"${ids[target] ?? ''}"` }),
      ...fields,
    }),
  );
  const body = { workspaceId: `"${workspaceId}"`, operations: `[${list.join(',')}]` };
  const answer = await send<BatchAnswer>('POST', `${kind.path}/batch`, body);
  expect([answer.text, answer.status]).toEqual([answer.text, 200]);
  const created = answer.body.data.filter(({ action }) => action === 'create');
  ids.push(...created.map((result) => resourceOf(result).id));
  return answer.body.data;
}

async function oneByOne(
  kind: Kind,
  { workspaceId, ids }: World,
  given: Operation[],
): Promise<object[]> {
  const results: object[] = [];
  for (const { action, target, fields } of given) {
    const id = ids[target] ?? '';
    if (action === 'delete') {
      await ada.delete(`${kind.path}/${id}`);
      results.push({ action, id });
      continue;
    }
    const { body } =
      action === 'create'
        ? await send<{ id: string; content: object }>('POST', kind.path, {
            ...{ workspaceId: `"${workspaceId}"`, ...fields },
          })
        : await send<{ id: string; content: object }>('PUT', `${kind.path}/${id}`, fields);
    const { content, ...summary } = body;
    if (action === 'create') ids.push(body.id);
    results.push({ action, [kind.name]: summary });
  }
  return results;
}

/** All that can be seen of a world, without what differs from one to another. */
async function seen(kind: Kind, { workspaceId, ids }: World, results: object[]): Promise<string[]> {
  const events = await galley.database.query<object>(
    'SELECT kind, sequence, data FROM outbox WHERE workspace_id = $1 ORDER BY number',
    [workspaceId],
  );
  const paths = ids.map((id) => `${kind.path}/${id}`);
  const histories =
    kind.name === 'template' ? paths.map((path) => `${path}/versions?content=true`) : [];
  const read = await Promise.all([...paths, ...histories].map((path) => ada.get(path)));
  const stored = read.map(({ status, text }) => `${status} ${text}`);
  return [...results, ...events, ...stored].map((each) => {
    const text = typeof each === 'string' ? each : JSON.stringify(each);
    return text
      .replaceAll(workspaceId, 'workspace')
      .replace(/[\da-f]{8}-[\da-f-]{27}/g, (id) => (ids.includes(id) ? `#${ids.indexOf(id)}` : id))
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  });
}

it.each(kinds)('a batch of $path does what its operations do one by one', async (kind) => {
  await fc.assert(
    fc.asyncProperty(operations(kind), async (given) => {
      const [one, other] = await Promise.all([newWorld(kind), newWorld(kind)]);
      const results = await inBatch(kind, one, given);
      const expected = await oneByOne(kind, other, given);
      expect(await seen(kind, one, results)).toEqual(await seen(kind, other, expected));
    }),
    { numRuns: 12 },
  );
});
