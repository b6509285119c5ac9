import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { broken, valid } from '../support/arbitrary.js';
import type { Answer } from '../support/answer.js';
import type { Client } from '../support/client.js';
import { startGalley, type Galley } from '../support/galley.js';
import { operations, resolve, type Operation, type Parameter } from '../support/openapi.js';
import { peopleOf } from '../support/people.js';
import { makeResources } from '../support/resources.js';

const REQUESTS = 5_000;
const AT_ONCE = 10;
// Requests delete what there is, so that there has to be more of it now and then.
const PER_WORLD = 100;

let galley: Galley;
let ada: Client;
let people: Record<'bob' | 'eve', { id: string }>;
/** A workspace with one of everything in it, by the names that requests have for the ids. */
let world: Record<string, string>;

beforeAll(async () => {
  galley = await startGalley();
  ada = await galley.as('ada');
  people = await peopleOf(galley, ['bob', 'eve']);
});
afterAll(() => galley.stop());

async function makeWorld(): Promise<void> {
  const workspace = (await galley.workspaceOf('ada')).id;
  const member = { userId: people.bob.id, role: 'editor' };
  await ada.post(`/api/workspaces/${workspace}/members`, member);
  const names = ['key', 'template', 'module', 'webhook', 'replay', 'delivery'];
  const made = await makeResources(ada, galley.database, workspace, names);
  world = {
    ...{ workspaceId: workspace, workspaces: workspace, userId: people.bob.id },
    ...{ templates: made['template'] ?? '', modules: made['module'] ?? '' },
    ...{ webhooks: made['webhook'] ?? '', deliveryId: made['delivery'] ?? '' },
    ...{ replayId: made['replay'] ?? '', keyId: made['key'] ?? '', version: '1' },
    ...{ resourceId: made['template'] ?? '', resourceIds: made['module'] ?? '' },
    newcomer: people.eve.id,
  };
}

interface Asked {
  operation: Operation;
  path: string;
  body: string | undefined;
  headers: Record<string, string>;
}

const mostly = <T>(good: Arbitrary<T>, bad: Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: good }, { weight: 1, arbitrary: bad });
const seldom = <T>(value: Arbitrary<T>) => mostly(fc.constant(undefined), value);
const nonsense = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('-1', '0', 'null', '1e9', '%', '../..', '01900000-0000-7000-8000-000000000000'),
);
/** What nothing can be wrong with, what takes a secret, and what seldom comes to pass by chance. */
const neverSeen = [
  ...['getLiveness refuses', 'getReadiness refuses', 'getCurrentUser refuses'],
  ...['receiveProviderMessage accepts', 'deleteWorkspace accepts'],
];
const tag = fc.constantFrom('*', '"x"', 'W/"x"', 'x', '', '"a", "b"');

function requestOf(operation: Operation): Arbitrary<Asked> {
  const parameters = (operation.parameters ?? []).map((each) => resolve<Parameter>(each));
  const valuesOf = (where: Parameter['in'], value: (parameter: Parameter) => Arbitrary<unknown>) =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === where)
          .map((parameter) => [parameter.name, value(parameter)]),
      ),
    );
  const schema = operation.requestBody?.content['application/json'].schema;
  return fc
    .record({
      path: valuesOf('path', ({ name }) => mostly(fc.constant(nameOf(operation, name)), nonsense)),
      query: valuesOf('query', ({ name, required, schema: of }) =>
        required ? mostly(valid(of, name), nonsense) : seldom(fc.oneof(valid(of), nonsense)),
      ),
      more: seldom(fc.string({ minLength: 1 })),
      headers: valuesOf('header', () => seldom(tag)),
      body: schema
        ? mostly(valid(schema).map(print), fc.oneof(broken(schema).map(print), nonsense))
        : seldom(fc.constantFrom('{}', '{', '[]', '1')),
    })
    .map(({ path, query, more, headers, body }) => {
      const given = Object.entries({ ...query, ...(more !== undefined && { [more]: 'x' }) });
      const search = new URLSearchParams();
      for (const [name, value] of given) if (value !== undefined) search.set(name, textOf(value));
      const filled = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
        encodeURIComponent(String(path[name])),
      );
      return {
        ...{ operation, path: `${filled}${search.size > 0 ? '?' : ''}${search.toString()}` },
        body: operation.method === 'GET' ? undefined : body,
        headers: Object.fromEntries(
          Object.entries(headers).filter(([, value]) => value !== undefined),
        ) as Record<string, string>,
      };
    });
}

/** As a query says it: texts as they are, all else as JSON does. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
const print = (value: unknown): string | undefined => JSON.stringify(value);

/** `id` is that of what the path names before it. */
const nameOf = ({ path }: Operation, name: string): string =>
  `<${name === 'id' ? (/(\w+)\/\{id\}/.exec(path)?.[1] ?? '') : name}>`;

/** In a batch `id` is that of one of what its path names. */
const fillBody = ({ path }: Operation, body: string): string =>
  fill(body.replaceAll('<id>', `<${/(\w+)\/batch/.exec(path)?.[1] ?? ''}>`));

const fill = (text: string): string =>
  text
    .replace('<userId>', (name) => (text.startsWith('{') ? '<newcomer>' : name))
    .replace(/(?:<|%3C)(\w+)(?:>|%3E)/g, (all, name: string) => world[name] ?? all);

async function send({ operation, path, body, headers }: Asked): Promise<Answer<unknown>> {
  if (body === undefined) return ada.raw(operation.method, fill(path), body, headers);
  const type = { 'content-type': 'application/json' };
  return ada.raw(operation.method, fill(path), fillBody(operation, body), { ...type, ...headers });
}

it('answers whatever is sent as openapi.json says, and never fails', async () => {
  const seen = new Set<string>();
  const request = fc.oneof(...operations.map(requestOf));
  const together = fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE });
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(together, async (asked) => {
      if (sent % PER_WORLD === 0) await makeWorld();
      const answers = await Promise.all(asked.map(send));
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      answers.forEach(({ status }, at) => {
        const { operationId = '' } = asked[at]?.operation ?? {};
        seen.add(`${operationId} ${status < 400 ? 'accepts' : 'refuses'}`);
      });
      sent += asked.length;
    }),
    { numRuns: REQUESTS / AT_ONCE, endOnFailure: true },
  );
  expect(sent).toBe(REQUESTS);
  const all = operations.flatMap(({ operationId: id }) => [`${id} accepts`, `${id} refuses`]);
  expect(all.filter((outcome) => !seen.has(outcome) && !neverSeen.includes(outcome))).toEqual([]);
}, 240_000);
