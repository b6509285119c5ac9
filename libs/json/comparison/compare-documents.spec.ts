import { describe, expect, it } from '@jest/globals';
import { JsonText } from '../json-text.js';
import { compareDocuments } from './compare-documents.js';

interface Change {
  type: string;
  path: string | null;
  fromPath: string | null;
  nodeType: string | null;
  nodeId: string | number | null;
  matchedBy: string | null;
  fields: { name: string; before?: unknown; after?: unknown }[];
  sentence: string;
}

const textOf = (document: unknown): string =>
  typeof document === 'string' ? document : JSON.stringify(document);

async function compare(from: unknown, to: unknown) {
  const comparison = await compareDocuments(new JsonText(textOf(from)), new JsonText(textOf(to)));
  return { ...comparison, changes: JSON.parse(comparison.changes.text) as Change[] };
}

/** Compares two documents and returns the changes as short strings. */
async function summarize(from: unknown, to: unknown): Promise<string[]> {
  const { changes, counts, isComplete } = await compare(from, to);
  const ofType = (type: string) => changes.filter((change) => change.type === type).length;
  expect(counts).toEqual({
    added: ofType('added'),
    removed: ofType('removed'),
    moved: ofType('moved'),
    changed: ofType('changed'),
  });
  expect(isComplete).toBe(true);
  return changes.map(({ type, path, fromPath, matchedBy, fields }) =>
    [
      type,
      fromPath === path ? path : `${fromPath ?? '-'} -> ${path ?? '-'}`,
      matchedBy ?? '',
      fields
        .map(({ name, before, after }) => `${name}: ${textOf(before)} -> ${textOf(after)}`)
        .join('; '),
    ]
      .filter((part) => part !== '')
      .join(' | '),
  );
}

const block = (id: string, text = 'Hello') => ({
  id,
  type: 'text',
  props: { text, padding: '1px' },
});
const container = (id: string, ...blocks: object[]) => ({ id, type: 'container', blocks });
const stripe = (id: string, ...containers: object[]) => ({ id, type: 'stripe', containers });
const template = (...stripes: object[]) => ({ styles: { contentWidth: 600 }, stripes });

describe('two documents with the same meaning', () => {
  it.each([
    ['white space', '{"a":[1,{"b":2}]}', ' { "a" :\n[ 1, { "b":\t2 } ] } '],
    ['the order of members', '{"a":1,"b":{"c":1,"d":2}}', '{"b":{"d":2,"c":1},"a":1}'],
    ['integer-like names', '{"2":1,"1":2}', '{"1":2,"2":1}'],
    ['escapes', '{"a\\u002fb":"\\u00e9\\/\\n"}', '{"a/b":"é/\\u000A"}'],
    ['numbers', '[1.0,-0,100,0.10,1E2,12e-1]', '[1,0,1e2,1e-1,100.0,1.2]'],
    ['long numbers', '[9007199254740993.0,1e400]', '[9007199254740993,10e399]'],
    ['large exponents', '[1e1000000000000000000]', '[1e1000000000000000000]'],
    ['an overridden member', '{"a":[{"id":1}],"a":[{"id":2}]}', '{"a":[{"id":2}]}'],
  ])('differ in %s', async (_difference, from, to) => {
    expect(await compare(from, to)).toMatchObject({ identical: true, changes: [] });
    expect(await compare(to, from)).toMatchObject({ identical: true, changes: [] });
  });

  it('have identical text only if all bytes are equal', async () => {
    expect(await compare('{"a":1}', '{"a":1}')).toMatchObject({ identicalText: true });
    expect(await compare('{"a":1}', '{"a":1.0}')).toMatchObject({ identicalText: false });
  });
});

describe('two documents with different meanings', () => {
  it.each([
    ['long numbers', '{"a":9007199254740992}', '{"a":9007199254740993}'],
    ['a last digit', '{"a":0.1234567890123456789}', '{"a":0.1234567890123456788}'],
    ['infinite numbers', '{"a":1e400}', '{"a":1e401}'],
    ['a number and a string', '{"a":1}', '{"a":"1"}'],
    ['null and nothing', '{"a":null}', '{}'],
    ['the order of an array', '[1,2]', '[2,1]'],
    ['an empty array and an empty object', '{"a":[]}', '{"a":{}}'],
    ['the nesting', '[[{"a":1}],[]]', '[[],[{"a":1}]]'],
    ['the number of equal elements', '[{},{}]', '[{}]'],
    ['an element between nodes', '[{"a":1},1,{"b":1}]', '[{"a":1},{"b":1},1]'],
    ['the name __proto__', '{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ['the name constructor', '{"constructor":1}', '{"toString":1}'],
    ['the whole document', '[]', '1'],
  ])('differ in %s', async (_difference, from, to) => {
    for (const [one, other] of [[from, to] as const, [to, from] as const]) {
      const { identical, changes } = await compare(one, other);
      expect([identical, changes.length > 0]).toEqual([false, true]);
    }
  });
});

describe('a node', () => {
  const original = template(
    stripe('s1', container('c1', block('b1'), block('b2', 'Bye'))),
    stripe('s2'),
  );

  it.each<[what: string, from: unknown, to: unknown, changes: string[]]>([
    [
      'is changed',
      original,
      template(stripe('s1', container('c1', block('b1', 'Hi'), block('b2', 'Bye'))), stripe('s2')),
      ['changed | /stripes/0/containers/0/blocks/0 | id | props.text: Hello -> Hi'],
    ],
    [
      'is added, with everything inside',
      original,
      template(stripe('s3', container('c3', block('b3'))), ...original.stripes),
      ['added | - -> /stripes/0'],
    ],
    [
      'is removed, with everything inside',
      original,
      template(stripe('s2')),
      ['removed | /stripes/0 -> -'],
    ],
    [
      'is moved in its array',
      { stripes: ['a', 'b', 'c', 'd'].map((id) => stripe(id)) },
      { stripes: ['b', 'c', 'd', 'a'].map((id) => stripe(id)) },
      ['moved | /stripes/0 -> /stripes/3 | id'],
    ],
    [
      'is moved to another parent',
      original,
      template(stripe('s1', container('c1', block('b2', 'Bye'))), stripe('s2', block('b1'))),
      ['moved | /stripes/0/containers/0/blocks/0 -> /stripes/1/containers/0 | id'],
    ],
    [
      'is moved out of a removed node',
      original,
      template(stripe('s2', block('b1'))),
      [
        'moved | /stripes/0/containers/0/blocks/0 -> /stripes/0/containers/0 | id',
        'removed | /stripes/0 -> -',
      ],
    ],
    [
      'is moved into an added node',
      template(block('b1')),
      template(stripe('s1', block('b1'))),
      ['added | - -> /stripes/0', 'moved | /stripes/0 -> /stripes/0/containers/0 | id'],
    ],
    [
      'changes places with the node that contains it',
      { a: [{ id: 1, a: [{ id: 2 }] }] },
      { a: [{ id: 2, a: [{ id: 1 }] }] },
      ['moved | /a/0/a/0 -> /a/0 | id', 'moved | /a/0 -> /a/0/a/0 | id'],
    ],
    [
      'is moved and changed',
      { a: [block('b1'), block('b2'), block('b3')] },
      { a: [block('b2'), block('b3'), block('b1', 'Hi')] },
      ['moved | /a/0 -> /a/2 | id', 'changed | /a/0 -> /a/2 | id | props.text: Hello -> Hi'],
    ],
    [
      'is matched by a numeric id, which differs from the same digits in a string',
      {
        a: [
          { id: 1, b: 1 },
          { id: '1', b: 2 },
        ],
      },
      {
        a: [
          { id: '1', b: 2 },
          { id: 1.0, b: 3 },
        ],
      },
      ['moved | /a/1 -> /a/0 | id', 'changed | /a/0 -> /a/1 | id | b: 1 -> 3'],
    ],
    [
      'is not matched by an id that occurs twice',
      {
        a: [
          { id: 1, b: 1 },
          { id: 1, b: 2 },
        ],
      },
      {
        a: [
          { id: 1, b: 2 },
          { id: 1, b: 1 },
        ],
      },
      ['moved | /a/1 -> /a/0 | content'],
    ],
    [
      'is matched by its content',
      { a: [{ b: 1 }, { b: 2 }], c: [] },
      { a: [{ b: 2 }], c: [{ b: 1 }] },
      ['moved | /a/0 -> /c/0 | content'],
    ],
    [
      'is matched by content that occurs several times, first in its own array',
      { a: [{ b: [{}, {}] }, { b: [{}] }], c: 1 },
      { a: [{ b: [{}] }, { b: [{}, {}] }], c: 2 },
      ['changed | place | c: 1 -> 2', 'moved | /a/1 -> /a/0 | content'],
    ],
    [
      'is matched by its place',
      {
        a: [
          { type: 'x', b: 1 },
          { type: 'y', b: 1 },
        ],
      },
      {
        a: [
          { type: 'y', b: 2 },
          { type: 'x', b: 2 },
        ],
      },
      [
        'moved | /a/1 -> /a/0 | place',
        'changed | /a/1 -> /a/0 | place | b: 1 -> 2',
        'changed | /a/0 -> /a/1 | place | b: 1 -> 2',
      ],
    ],
    [
      'takes the place only of a node with the same type',
      { a: [{ type: 'x', b: 1 }] },
      { a: [{ type: 'y', b: 1 }] },
      ['added | - -> /a/0', 'removed | /a/0 -> -'],
    ],
    [
      'with another id is another node',
      {
        a: [
          { id: 1, b: 1 },
          { id: 2, b: 1 },
        ],
      },
      {
        a: [
          { id: 1, b: 1 },
          { id: 3, b: 2 },
        ],
      },
      ['added | - -> /a/1', 'removed | /a/1 -> -'],
    ],
    [
      'with another id is matched by place if the documents have no id in common',
      { a: [{ id: 1, b: 1 }] },
      { a: [{ id: 2, b: 1 }] },
      ['changed | /a/0 | place | id: 1 -> 2'],
    ],
  ])('%s', async (_what, from, to, changes) => {
    expect(await summarize(from, to)).toEqual(changes);
  });
});

describe('the fields of a node', () => {
  it.each<[what: string, from: unknown, to: unknown, fields: string]>([
    [
      'are found by their names',
      { a: { b: { c: 1, d: 2 } } },
      { a: { b: { c: 2, d: 2 } } },
      'a.b.c: 1 -> 2',
    ],
    ['can be new', { a: {} }, { a: { b: 1 } }, 'a.b: undefined -> 1'],
    ['can be gone', { a: { b: [1] } }, { a: {} }, 'a.b: [1] -> undefined'],
    [
      'are whole objects if they are new',
      {},
      { a: { b: { c: 1 } } },
      'a: undefined -> {"b":{"c":1}}',
    ],
    ['are whole arrays', { a: [1, 2, [3]] }, { a: [1, 2, [4]] }, 'a: [1,2,[3]] -> [1,2,[4]]'],
    ['can have another type', { a: { b: 1 } }, { a: [1] }, 'a: {"b":1} -> [1]'],
    ['leave out nodes', { a: { b: [] } }, { a: { b: [{ c: 1 }], d: 1 } }, 'a.d: undefined -> 1'],
    ['can be beside new nodes', {}, { a: { b: [{ c: 1 }], d: 1 } }, 'a.d: undefined -> 1'],
    [
      'can be arrays that also contain nodes',
      { a: [{ b: 1 }, 1] },
      { a: [{ b: 1 }, 2] },
      'a: [{"b":1},1] -> [{"b":1},2]',
    ],
    [
      'can be in arrays inside an array',
      { a: [[{ b: 1 }], 1] },
      { a: [[{ b: 1 }, 2], 1] },
      'a.0: [{"b":1}] -> [{"b":1},2]',
    ],
    ['keep their text', '{"a":1.50}', '{"a":[1.0,  2]}', 'a: 1.5 -> [1,2]'],
  ])('%s', async (_what, from, to, fields) => {
    const changed = (await summarize(from, to)).filter((change) => change.startsWith('changed'));
    expect(changed).toEqual([`changed | place | ${fields}`]);
  });

  it('are printed as they are in the documents', async () => {
    const { changes } = await compareDocuments(
      new JsonText('{"a":9007199254740993,"b":1}'),
      new JsonText('{"a":1.50,"b":1}'),
    );
    expect(changes.text).toContain('{"name":"a","before":9007199254740993,"after":1.50}');
  });
});

it('a change has JSON Pointers, and the type and id of the node', async () => {
  const { changes } = await compare(
    { 'a/b~c': [{ id: 's1', type: 'x', k: 1 }] },
    {
      'a/b~c': [
        { id: 's1', type: 'x', k: 2 },
        { id: 7, type: 5 },
      ],
    },
  );
  expect(changes).toMatchObject([
    { path: '/a~1b~0c/0', fromPath: '/a~1b~0c/0', nodeType: 'x', nodeId: 's1', matchedBy: 'id' },
    { path: '/a~1b~0c/1', fromPath: null, nodeType: null, nodeId: 7, matchedBy: null },
  ]);
});

describe('many changes', () => {
  const nodes = (count: number, field: object) => ({
    a: Array.from({ length: count }, (_, id) => ({ id, ...field })),
  });

  it('are all counted, and 1,000 are listed', async () => {
    const listed = await compare(nodes(1_000, {}), nodes(1_000, { b: 1 }));
    expect([listed.changes.length, listed.counts.changed, listed.isComplete]).toEqual([
      1_000,
      1_000,
      true,
    ]);
    const more = await compare(nodes(1_001, {}), nodes(1_001, { b: 1 }));
    expect([more.changes.length, more.counts.changed, more.isComplete]).toEqual([
      1_000,
      1_001,
      false,
    ]);
  });

  it('leave out values that do not fit', async () => {
    const long = 'x'.repeat(1024 * 1024);
    const { changes, isComplete } = await compare(
      { a: 1, b: 1, c: 1, d: 1, e: 1 },
      { a: long, b: long, c: long, d: long, e: 2 },
    );
    expect(isComplete).toBe(false);
    expect(changes[0]?.fields.map((field) => [field.name, Object.keys(field).length])).toEqual([
      ['a', 3],
      ['b', 3],
      ['c', 3],
      ['d', 1],
      ['e', 3],
    ]);
  });

  it('stop at a path that does not fit', async () => {
    const name = 'n'.repeat(1024 * 1024);
    const { changes, counts, isComplete } = await compare(
      { [name]: nodes(100, {}).a },
      { [name]: nodes(100, { b: 1 }).a },
    );
    expect([changes.length, counts.changed, isComplete]).toEqual([1, 100, false]);
  });
});

it('documents with the maximum nesting depth are compared', async () => {
  const nested = (leaf: number) => `${'{"a":['.repeat(250)}${leaf}${']}'.repeat(250)}`;
  const { changes } = await compare(nested(1), nested(2));
  expect(changes).toMatchObject([
    { type: 'changed', path: '/a/0'.repeat(249), matchedBy: 'place' },
  ]);
});
