import { describe, expect, it } from '@jest/globals';
import { mailClients } from '../mail-clients/index.js';
import compile from './compile.js';

const MAX_MS = 3_000;
const blocksOf = (...blocks: object[]) => ({ stripes: [{ containers: [{ blocks }] }] });
const text = (content: string, more: object = {}) => ({
  type: 'text',
  props: { content },
  ...more,
});

const render = (document: object, client?: (typeof mailClients)[number]) =>
  compile({ content: JSON.stringify(document), title: '', format: 'all', client });

async function quickly<Result>(work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const result = await work();
  expect(performance.now() - begun).toBeLessThan(MAX_MS);
  return result;
}

describe.each(mailClients)('as in %s', (client) => {
  it.each([
    ['words that look like a style', `x style="${'a'.repeat(200_000)}"`],
    ['words that look like URLs', `x style="a:${'url('.repeat(100_000)}"`],
  ])('%s take no time', async (_title, content) => {
    await quickly(() => render(blocksOf(text(content)), client));
  });

  it('text that looks like an attribute is text', async () => {
    const document = blocksOf(
      text('Write style="" or src="x'),
      text('B {{x}}', { condition: 'a' }),
    );
    const result = await render(document, client);
    const html = 'programs' in result ? JSON.stringify(result.programs.html) : '';
    expect(html).toContain('Write style=\\"\\" or src=\\"x');
  });
});

it.each([
  ['url', { toString: 1 }],
  ['weight', { toString: 1 }],
  ['format', ['css']],
  ['fallback', {}],
])('a font whose %s is %j is left out', async (name, value) => {
  const font = { name: 'A', url: 'https://a.example/a.constructor' };
  const warningsOf = async (fonts: object[]) => {
    const result = await render({ fonts, stripes: [] });
    return 'warnings' in result ? result.warnings.length : -1;
  };
  expect([await warningsOf([font]), await warningsOf([{ ...font, [name]: value }])]).toEqual([
    0, 1,
  ]);
});

it('the paths of warnings are short', async () => {
  const broken = Array.from({ length: 100 }, () => ({ a: '{{' }));
  const result = await render({ stripes: [], ['~'.repeat(200_000)]: broken });
  expect('warnings' in result && JSON.stringify(result.warnings).length).toBeLessThan(100_000);
});

it('a long base-url is left out', async () => {
  const links = Array.from({ length: 1_000 }, () => ({ href: 'a', content: 'A' }));
  const props = { 'base-url': `https://a.example/${'a'.repeat(500_000)}`, links };
  const result = await quickly(() => render(blocksOf({ type: 'menu', props })));
  expect('warnings' in result && result.warnings.map(({ message }) => message)).toEqual([
    'base-url has an invalid value, and is ignored.',
  ]);
});

it('a table with many cells in a long style is refused before it takes memory', async () => {
  const border = `1px solid #${'0'.repeat(3)}${' '.repeat(180)}`;
  const props = { 'row-border': border, rows: [Array<string>(100_000).fill('1')] };
  expect(await quickly(() => render(blocksOf({ type: 'table', props })))).toEqual({
    reason: 'the result has more than 8,000,000 characters.',
  });
});
