import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { applyPatch, createPatch, type Operation } from 'rfc6902';
import { JsonText } from '../json-text.js';
import { compareDocuments, createJsonPatch } from './compare-documents.js';

const textOf = (document: unknown): JsonText => new JsonText(JSON.stringify(document));

const patchOf = async (from: unknown, to: unknown): Promise<Operation[]> =>
  JSON.parse((await createJsonPatch(textOf(from), textOf(to))).text) as Operation[];

/** Copies a document. Unlike structuredClone, creates two objects for an object that occurs twice. */
const copyOf = <T>(document: T): T => JSON.parse(JSON.stringify(document)) as T;

/** Applies a patch with a library. The document is wrapped, because the library cannot replace the root. */
function apply(document: unknown, patch: readonly Operation[]): unknown {
  const wrapped = { document: copyOf(document) };
  const operations = patch.map((operation) => {
    const path = `/document${operation.path}`;
    return 'from' in operation
      ? { ...operation, path, from: `/document${operation.from}` }
      : { ...operation, path };
  });
  expect(applyPatch(wrapped, operations).filter((problem) => problem !== null)).toEqual([]);
  return wrapped.document;
}

interface Change {
  type: string;
  path: string | null;
  fromPath: string | null;
}

/** Checks the patches and comparisons of two documents in both directions. */
async function expectPatches(one: unknown, other: unknown): Promise<void> {
  for (const [from, to] of [[one, other] as const, [other, one] as const]) {
    const patch = await patchOf(from, to);
    expect(apply(from, patch)).toEqual(to);
    const { identical, changes, counts, isComplete } = await compareDocuments(
      textOf(from),
      textOf(to),
    );
    const isEqual = isDeepStrictEqual(copyOf(from), copyOf(to));
    const listed = JSON.parse(changes.text) as Change[];
    expect([identical, patch.length === 0, listed.length === 0]).toEqual([
      isEqual,
      isEqual,
      isEqual,
    ]);
    const { added, removed, moved, changed } = counts;
    expect([isComplete, added + removed + moved + changed]).toEqual([true, listed.length]);
    for (const { type, path, fromPath } of listed) {
      expect([typeof valueAt(to, path), typeof valueAt(from, fromPath)]).not.toContain('undefined');
      expect([path === null, fromPath === null]).toEqual([type === 'removed', type === 'added']);
    }
  }
}

const valueAt = (document: unknown, pointer: string | null): unknown =>
  pointer === null
    ? null
    : pointer
        .split('/')
        .slice(1)
        .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>((value, token) => (value as Record<string, unknown>)[token], document);

describe('a patch', () => {
  const list = (...ids: number[]) => ({ a: ids.map((id) => ({ id, text: `Number ${id}` })) });

  it.each<[what: string, from: unknown, to: unknown, patch: object[]]>([
    ['of equal documents is empty', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    [
      'replaces a field',
      { a: { b: 1 } },
      { a: { b: 2 } },
      [{ op: 'replace', path: '/a/b', value: 2 }],
    ],
    ['adds a field', { a: {} }, { a: { b: {} } }, [{ op: 'add', path: '/a/b', value: {} }]],
    ['removes a field', { a: { b: 1 } }, { a: {} }, [{ op: 'remove', path: '/a/b' }]],
    [
      'escapes names',
      { 'a/b~': 1, '': 1 },
      { 'a/b~': 2, '': 1 },
      [{ op: 'replace', path: '/a~1b~0', value: 2 }],
    ],
    ['replaces a whole document', [1], 'x', [{ op: 'replace', path: '', value: 'x' }]],
    [
      'changes one word of one node',
      list(1, 2, 3),
      { a: [...list(1).a, { id: 2, text: 'Number two' }, ...list(3).a] },
      [{ op: 'replace', path: '/a/1/text', value: 'Number two' }],
    ],
    [
      'adds an element without moving the elements after it',
      list(1, 2, 3),
      list(4, 1, 2, 3),
      [{ op: 'add', path: '/a/0', value: list(4).a[0] }],
    ],
    [
      'removes the last element first',
      list(1, 2, 3),
      list(3),
      [
        { op: 'remove', path: '/a/1' },
        { op: 'remove', path: '/a/0' },
      ],
    ],
    [
      'moves an element',
      list(1, 2, 3),
      list(2, 3, 1),
      [{ op: 'move', from: '/a/0', path: '/a/2' }],
    ],
    [
      'moves an element between elements that are added and removed',
      list(1, 2, 3, 4),
      list(5, 4, 2, 6, 3),
      [
        { op: 'remove', path: '/a/0' },
        { op: 'add', path: '/a/0', value: list(5).a[0] },
        { op: 'move', from: '/a/3', path: '/a/1' },
        { op: 'add', path: '/a/3', value: list(6).a[0] },
      ],
    ],
    [
      'changes one value in an element that is an array',
      [1, [2, 3], 4],
      [1, [2, 5], 4],
      [{ op: 'replace', path: '/1/1', value: 5 }],
    ],
  ])('%s', async (_what, from, to, patch) => {
    expect(await patchOf(from, to)).toEqual(patch);
    expect(apply(from, patch as Operation[])).toEqual(to);
  });

  it('contains the values as they are written in the document', async () => {
    const [from, to] = ['{"a":1,"__proto__":1}', '{"a":9007199254740993.0,"__proto__":{ "b":1 }}'];
    const { text } = await createJsonPatch(new JsonText(from), new JsonText(to));
    expect(text).toBe(
      '[{"op":"replace","path":"/__proto__","value":{ "b":1 }},{"op":"replace","path":"/a","value":9007199254740993.0}]',
    );
  });

  it('that would be longer than the document replaces the document', async () => {
    const nodes = Array.from({ length: 5_000 }, (_, id) => ({ id }));
    const to = { a: nodes.toReversed() };
    expect(await patchOf({ a: nodes }, to)).toEqual([{ op: 'replace', path: '', value: to }]);
    const name = 'n'.repeat(100_000);
    const [before, after] = [1, 2].map((value) => ({
      [name]: nodes.map(({ id }) => ({ id, value })),
    }));
    expect(await patchOf(before, after)).toEqual([{ op: 'replace', path: '', value: after }]);
  });
});

// Few distinct values, so that equal values often occur in several places.
const scalar = fc.constantFrom<unknown>(null, true, 0, 1, 1.5, '', 'a', 'é"\\', [], {});
const name = fc.constantFrom('id', 'type', 'a', 'b', '0', '1', '', 'a/b', '~1', 'toString');
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** The following arbitraries generate a document of stripes, containers and blocks. */
const block = fc.record(
  {
    id: fc.nat(30).map((id) => `b${id}`),
    type: fc.constantFrom('text', 'image', 'divider'),
    props: fc.record(
      {
        text: fc.constantFrom('Hello', 'Bye', '<p>Sale</p>'),
        padding: fc.constantFrom('1px', '2px'),
        tags: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 }),
      },
      { noNullPrototype: true },
    ),
  },
  { requiredKeys: ['type', 'props'], noNullPrototype: true },
);
const listOf = (prefix: string, type: string, field: string, children: Arbitrary<unknown>) =>
  fc.array(
    fc.record(
      {
        id: fc.nat(20).map((id) => `${prefix}${id}`),
        type: fc.constant(type),
        [field]: fc.array(children, { maxLength: 3 }),
      },
      { requiredKeys: ['type', field], noNullPrototype: true },
    ),
    { maxLength: 4 },
  );
const document = fc.record(
  {
    styles: fc.record({ contentWidth: fc.constantFrom(600, 700) }, { noNullPrototype: true }),
    stripes: listOf('s', 'stripe', 'containers', listOf('c', 'container', 'blocks', block)),
  },
  { noNullPrototype: true },
);

type Edit = 'text' | 'padding' | 'drop' | 'copy' | 'move' | 'swap' | 'tag';
const edits = fc.array(
  fc.record({
    edit: fc.constantFrom<Edit>('text', 'padding', 'drop', 'copy', 'move', 'swap', 'tag'),
    at: fc.nat(),
    to: fc.nat(),
  }),
  { minLength: 1, maxLength: 4 },
);

interface Block {
  id?: string;
  props: { text: string; padding: string; tags: string[] };
}

/** Gives every node an id, and applies edits that a person could make in an editor. */
function edited(document: object, list: { edit: Edit; at: number; to: number }[]) {
  let lastId = 0;
  const copy = JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'type' in value
      ? { ...value, id: `n${++lastId}` }
      : value,
  ) as { stripes: { containers: { blocks: Block[] }[][] }[] };
  const from = copyOf(copy);
  const lists: unknown[][] = [
    copy.stripes,
    ...copy.stripes.flatMap(({ containers }) => [
      containers,
      ...containers.flat().map(({ blocks }) => blocks),
    ]),
  ];
  const blocks = copy.stripes.flatMap(({ containers }) =>
    containers.flat().flatMap((each) => each.blocks),
  );
  for (const { edit, at, to } of list) {
    const { props } = blocks[at % Math.max(1, blocks.length)] ?? {};
    const nodes = lists[at % lists.length] ?? [];
    const index = to % Math.max(1, nodes.length);
    if (edit === 'text' && props) props.text += ' there';
    if (edit === 'padding' && props) props.padding = `${to}px`;
    if (edit === 'tag' && props) props.tags.splice(to % (props.tags.length + 1), 0, 'new');
    if (edit === 'drop') nodes.splice(index, 1);
    if (edit === 'copy' && nodes.length > 0)
      nodes.push({ ...(copyOf(nodes[index]) as object), id: `n${++lastId}` });
    if (edit === 'move' && nodes.length > 0) nodes.unshift(...nodes.splice(index, 1));
    if (edit === 'swap') nodes.reverse();
  }
  return { from, to: copy };
}

describe('patches of generated documents', () => {
  it('turn any document into any other', async () => {
    await fc.assert(fc.asyncProperty(anything, anything, expectPatches), { numRuns: 2_000 });
  });

  it('turn one email into another', async () => {
    await fc.assert(fc.asyncProperty(document, document, expectPatches), { numRuns: 300 });
  });

  it('have no more operations in total than the patches of rfc6902', async () => {
    let [operations, referenceOperations] = [0, 0];
    await fc.assert(
      fc.asyncProperty(document, edits, async (original, list) => {
        const { from, to } = edited(original, list);
        const patch = await patchOf(from, to);
        expect(apply(from, patch)).toEqual(to);
        operations += patch.length;
        referenceOperations += createPatch(from, to).length;
      }),
      { numRuns: 300 },
    );
    expect(operations).toBeLessThanOrEqual(referenceOperations);
  });
});
