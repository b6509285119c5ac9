import { describe, expect, it } from '@jest/globals';
import type { Query } from '#database';
import { JsonText } from '#json';
import { expandModules } from './expand.js';

const MIB = 1024 * 1024;
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const refer = (number: number) => `{"type":"module","moduleId":"${idOf(number)}"}`;
const blocks = (references: readonly string[]) => `{"blocks":[${references.join(',')}]}`;
const numbers = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => first + index);

/** Runs `expandModules` with a fake query, which takes the content of a module from `moduleDocument`. */
function expand(
  documents: readonly string[],
  moduleDocument: (number: number) => string,
  frozenAt: (index: number) => Date | null = () => null,
) {
  const query = ((_text: string, [, ids, , , maxBytes]: [string, string[], [], [], number]) => {
    let bytes = 0;
    const rows = ids.map((id, index) => {
      const content = moduleDocument(Number(id.slice(-12)));
      bytes += content.length;
      const { type = null } = JSON.parse(content) as { type?: string };
      return {
        number: index + 1,
        id,
        version: 1,
        name: 'Module',
        createdAt: new Date(0),
        type,
        content: bytes <= maxBytes ? content : null,
      };
    });
    return Promise.resolve(rows);
  }) as unknown as Query;
  return expandModules(
    documents.map((text, index) => ({ content: new JsonText(text), frozenAt: frozenAt(index) })),
    { query, userId: '', maxBytes: MIB, maxTotalBytes: 4 * MIB },
  );
}

const problemsOf = (expanded: Awaited<ReturnType<typeof expand>>) =>
  expanded.flatMap(({ warnings }) => warnings.map(({ problem }) => problem));

describe('a page ends before a document', () => {
  it('that would make the page use too many modules', async () => {
    const documents = numbers(12).map((index) => blocks(numbers(100, index * 100).map(refer)));
    const expanded = await expand(documents, () => '{"text":"A"}');
    expect(expanded).toHaveLength(10);
    expect(problemsOf(expanded)).toEqual([]);
  });

  it('that would make the page use too many versions of modules', async () => {
    const documents = numbers(100).map(() => blocks(numbers(11).map(refer)));
    const resolveModulesAsOf = (index: number) => new Date(index);
    const expanded = await expand(documents, () => '{"text":"A"}', resolveModulesAsOf);
    expect(expanded).toHaveLength(90);
    expect(problemsOf(expanded)).toEqual([]);
  });

  it('that would make the page too large', async () => {
    const documents = numbers(8).map((index) => blocks([refer(index)]));
    const expanded = await expand(documents, () => `{"text":"${'x'.repeat(700_000)}"}`);
    expect(expanded).toHaveLength(5);
    expect(problemsOf(expanded)).toEqual([]);
  });
});

it('an expansion that would make a document too large leaves modules out', async () => {
  const outer = blocks(numbers(1_000, 1).map(refer));
  const grown = await expand([blocks([refer(0)])], (number) => (number === 0 ? outer : '{}'));
  expect(problemsOf(grown)).toEqual(['too_large']);
  const large = await expand([blocks([refer(0), refer(1)])], () => `{"a":"${'x'.repeat(6e5)}"}`);
  expect(problemsOf(large)).toEqual(['too_large']);
});

it('$module members and empty nodes count towards the size of the document', async () => {
  const document = blocks(Array<string>(13_000).fill(refer(0)));
  const results = [
    ...(await expand([document], () => '{}')),
    ...(await expand([document], () => '{"type":"stripe"}')),
  ];
  for (const { content } of results) expect(content.byteLength).toBeLessThan(1.4 * MIB);
  expect(problemsOf(results)).toContain('too_large');
});

it('a reference controls when and how often the content of the module is shown', async () => {
  const display = { condition: 'a "b"', repeat: 'x in list', visibility: 'mobile' };
  const reference = { type: 'module', moduleId: idOf(7), ...display, other: 1 };
  const [expanded] = await expand(
    [blocks([JSON.stringify(reference)])],
    () => `{"text":"A","condition":"own"}`,
  );
  const $module = { id: idOf(7), name: 'Module', version: 1, pinned: false };
  expect(JSON.parse(expanded?.content.text ?? '')).toEqual({
    blocks: [{ text: 'A', ...display, $module }],
  });
});

it('a $module member in the content of the module does not hide the origin of the module', async () => {
  const [expanded] = await expand(
    [blocks([refer(7)])],
    () => `{"$module":{"id":"x"},"text":"}","\\u0024module":1 } `,
  );
  expect(JSON.parse(expanded?.content.text ?? '')).toEqual({
    blocks: [{ $module: { id: idOf(7), name: 'Module', version: 1, pinned: false }, text: '}' }],
  });
});
