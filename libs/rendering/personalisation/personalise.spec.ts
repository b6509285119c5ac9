import { describe, expect, it, jest } from '@jest/globals';
import { RenderWarnings, type DocumentNode } from '../document/index.js';
import * as cost from './cost.js';
import { Personalisation, type MergeData } from './personalise.js';
import { Placeholders } from './placeholders.js';
import { htmlProgram, textProgram } from './program.js';
import { replaceTags } from './replace-tags.js';

// cspell:ignore März marzo İSTANBUL

/** A text, or a node that contains a text or other parts. */
type Part = string | { content: string | Part[]; condition?: unknown; repeat?: unknown };

/** Compiles parts as Galley compiles documents, but without MJML. */
function compile(parts: Part[]) {
  const placeholders = new Placeholders();
  const warnings = new RenderWarnings();
  const write = (part: unknown): string => {
    if (typeof part === 'string') return part;
    const node = part as DocumentNode & { content: string | unknown[] };
    const { begin = '', end = '' } = placeholders.marksOf(node) ?? {};
    const { content } = node;
    return begin + (typeof content === 'string' ? content : content.map(write).join('')) + end;
  };
  const { parts: replaced } = replaceTags(warnings, placeholders, { parts });
  return {
    text: (replaced as unknown[]).map(write).join(''),
    placeholders,
    warnings: warnings.list.map(({ path, message }) => `${path}: ${message}`),
  };
}

function compileText(parts: Part[], urlTags: number[] = []) {
  const { text, placeholders, warnings } = compile(parts);
  return { program: textProgram(text, placeholders, new Set(urlTags)), warnings };
}

function fillIn(parts: Part[], data?: MergeData, locale = 'en') {
  const run = new Personalisation(data, locale);
  return { text: run.fill(compileText(parts).program), missing: [...run.missing] };
}

/** The plain text that a tag becomes. */
const fill = (tag: string, data: MergeData, locale = 'en') =>
  fillIn([`[${tag}]`], data, locale)
    .text.trim()
    .slice(1, -1);

/** The HTML that a tag becomes. */
function fillHtml(html: string, data?: MergeData): string {
  const { text, placeholders } = compile([html]);
  return new Personalisation(data, 'en').fill(htmlProgram(text, placeholders));
}

/** Whether a text with this condition is shown. */
const isShown = (condition: string, data: MergeData) =>
  fillIn([{ content: 'shown', condition }], data).text.includes('shown');

describe('a value', () => {
  it.each([
    ['{{name}}', 'Ada'],
    ['{{ user.name }}', 'Bob'],
    ['{{users.1.name}}', 'Dan'],
    ['{{n}}', '1234.5'],
    ['{{zero}}', '0'],
    ['{{no}}', 'false'],
    ['{{none | default: "friend"}}', 'friend'],
    ['{{empty | default: &quot;friend&quot;}}', 'friend'],
    ['{{user | default: "an object"}}', 'an object'],
    ['{{user.missing.name}}', ''],
    ['{{name.length}}', ''],
    ['{{users.length | default: "2?"}}', '2'],
    ['{{constructor}}{{__proto__.x}}{{user.toString}}', ''],
    ['{{tag}}', '{{name}}'],
    ['{{markup}}', '<b>&"'],
  ])('%s becomes %s', (tag, expected) => {
    const data =
      JSON.parse(`{ "name": "Ada", "user": { "name": "Bob" }, "users": [{}, { "name": "Dan" }],
      "n": 1234.5, "zero": 0, "no": false, "none": null, "empty": "", "tag": "{{name}}", "markup": "<b>&\\"" }`) as MergeData;
    expect(fill(tag, data)).toBe(expected);
  });

  it.each([
    ['{{n | number}}', 'en', '1,234.5'],
    ['{{n | number: 2}}', 'de', '1.234,50'],
    ['{{n | currency: "EUR"}}', 'fr', '1 234,50 €'],
    ['{{n | currency: "JPY"}}', 'ja', '￥1,235'],
    ['{{at | date: "long"}}', 'de', '1. März 2026'],
    ['{{at | datetime: "medium", "Asia/Tokyo"}}', 'de', '01.03.2026, 12:30'],
    ['{{at | date: "full"}}', 'es', 'domingo, 1 de marzo de 2026'],
    ['{{name | upcase | default: "none"}}', 'tr', 'İSTANBUL'],
  ])('%s in %s becomes %s', (tag, language, expected) => {
    const data = { n: 1234.5, name: 'istanbul', at: '2026-03-01T03:30:00Z' };
    expect(fill(tag, data, language).replace(/[\u00a0\u202f]/g, ' ')).toBe(expected);
  });
});

describe('a condition', () => {
  const data = {
    yes: true,
    no: false,
    zero: 0,
    n: 5,
    text: 'abc',
    empty: '',
    list: [1],
    none: [],
    o: {},
  };

  it.each([
    'yes',
    'n',
    'text',
    'list',
    'o',
    'not no',
    'not zero',
    'not empty',
    'not none',
    'not absent',
    'n == 5',
    'n != 6',
    'n > 4.5',
    'n <= 5',
    'n >= 5',
    'n < 5.5',
    'text < "abd"',
    'text == "abc"',
    'absent == null',
    'absent != 5',
    'no or yes',
    'yes and n',
    'no and no or yes',
    'list.0 == 1',
  ])('%s is true', (condition) => {
    expect(isShown(condition, data)).toBe(true);
  });

  it.each([
    'no',
    'absent',
    'n == "5"',
    'n > "4"',
    'text > 5',
    '"6" > 5',
    'n < 5',
    'n > 5',
    'n <= 4',
    'n >= 6',
    'text >= "abd"',
    'yes and no',
    'o > 1',
    'constructor',
  ])('%s is false', (condition) => {
    expect(isShown(condition, data)).toBe(false);
  });
});

describe('a value in HTML', () => {
  it.each([
    ['<p>{{x}}</p>', '<p>&lt;i&gt;&amp;&quot;&#39;@</p>'],
    ['<p title="{{x}}"></p>', '<p title="&lt;i&gt;&amp;&quot;&#39;@"></p>'],
    [
      '<a href="https://a.example/{{x}}"></a>',
      '<a href="https://a.example/%3Ci%3E%26%22&#39;%40"></a>',
    ],
    ['<a href="mailto:{{x}}"></a>', '<a href="mailto:%3Ci%3E%26%22&#39;@"></a>'],
    ['<a href="{{url}}"></a>', '<a href="https://a.example/?b=1&amp;c=2"></a>'],
    ['<a href="{{script}}"></a>', '<a href=""></a>'],
    ['<p style="color: {{x}}"></p>', '<p style="color: "></p>'],
  ])('%s becomes %s', (html, expected) => {
    const data = {
      x: `<i>&"'@`,
      url: ' https://a.example/?b=1&c=2 ',
      script: 'javascript:alert(1)',
    };
    expect(fillHtml(html, data)).toBe(expected);
  });

  it.each([
    [`<p>{{ a | default: "b" }} {{c}}</p>`, `<p>{{ a | default: "b" }} {{c}}</p>`],
    [
      `<p title='{{c}}' class="{{ a | default: "b" }}"></p>`,
      `<p title='' class="{{ a | default: 'b' }}"></p>`,
    ],
    [
      `<p title="{{ a | default: "it's" }}"></p>`,
      `<p title="{{ a | default: &quot;it's&quot; }}"></p>`,
    ],
    [`<p>{{ a | default: "<b>&" }}</p>`, `<p>{{ a | default: "&lt;b&gt;&amp;" }}</p>`],
  ])('%s without data becomes %s', (html, expected) => {
    expect(fillHtml(html)).toBe(expected);
  });
});

it('a value in a URL in plain text is encoded', () => {
  const { program } = compileText(
    ['https://a.example/{{x}}, {{x}} [mailto:{{x}}] {{url}}{{x}}'],
    [0, 2, 3, 4],
  );
  const data = { x: 'a b@', url: 'https://b.example/' };
  expect(new Personalisation(data, 'en').fill(program)).toBe(
    'https://a.example/a%20b%40, a b@ [mailto:a%20b@] https://b.example/a%20b%40\n',
  );
});

describe('a node', () => {
  it('is shown once for each item, if its condition is true', () => {
    const part = { content: '{{i.n}},', repeat: 'i in list', condition: 'i.n > 1' };
    expect(fillIn([part, 'end'], { list: [{ n: 1 }, { n: 2 }, { n: 3 }] }).text).toBe('2,3,end\n');
    expect(fillIn([part, 'end'], { list: [] })).toEqual({ text: 'end\n', missing: [] });
    expect(fillIn([part, 'end'], { list: { n: 2 } })).toEqual({ text: 'end\n', missing: ['list'] });
  });

  it('can use the items around it, the nearest first', () => {
    const parts = [
      {
        content: ['({{a}}', { content: '{{a}}{{b.c}}{{d}}', repeat: 'b in a.list' }, ')'],
        repeat: 'a in list',
      },
      { content: ['{{x}}', { content: '-{{x}}', repeat: 'x in x' }, '{{x}}'], repeat: 'x in y' },
    ];
    const data = { list: [{ list: [{ c: 1 }, { c: 2 }] }, { list: [] }], d: 'D', y: [[1, 2]] };
    const { text, missing } = fillIn(parts, data);
    expect(text).toBe('(1D2D)()-1-2\n');
    expect(missing).toEqual(['list[]', 'y[]']);
  });

  it('without data is shown once', () => {
    const part = { content: '{{a}}{{b | default: "c"}}', repeat: 'a in list', condition: 'a.b' };
    expect(fillIn([part])).toEqual({
      text: '{{a}}{{b | default: "c"}}\n',
      missing: ['list', 'list[]'],
    });
  });

  it('whose expressions cannot be parsed is shown, with warnings', () => {
    const { program, warnings } = compileText([
      { content: 'a', condition: '(a)', repeat: 7 },
      { content: 'b', condition: null, repeat: '' },
      { content: [{ content: '{{a b}}{{' }, `{{${'('.repeat(200)}}}`] },
    ]);
    expect(new Personalisation({}, 'en').fill(program)).toBe(
      `ab{{a\nb}}{{{{${'('.repeat(200)}}}\n`,
    );
    expect(warnings).toEqual([
      '/parts/0: condition is left out: `(a)` is not valid here.',
      '/parts/0: repeat is left out: it must be a string.',
      '/parts/2/content/0: The merge tag {{a b}} is shown as text: expected the end of the expression, but found `b`.',
      '/parts/2/content/0: A merge tag begins with {{ but has no }}, so it is shown as text.',
      `/parts/2: The merge tag {{${'('.repeat(98)} is shown as text: \`${'('.repeat(20)}\` is not valid here.`,
    ]);
  });
});

describe('the variables of a program', () => {
  const variablesOf = (parts: Part[]) => [...compileText(parts).program.variables];

  it('are named from the root of the data', () => {
    expect(
      variablesOf([
        '{{a.b}}',
        { content: ['{{c.d}}', { content: '{{e}}', repeat: 'e in c.e' }], repeat: 'c in list' },
        { content: '', condition: 'f and not g or h == i' },
      ]),
    ).toEqual(['a.b', 'list', 'list[].d', 'list[].e', 'list[].e[]', 'f', 'g', 'h', 'i']);
  });

  it('are limited to 1,000 names of at most 500 characters', () => {
    expect(
      variablesOf([Array.from({ length: 1_001 }, (_, index) => `{{a${index}}}`).join('')]),
    ).toHaveLength(1_000);
    const nested = { content: `{{b.${'c'.repeat(400)}}}`, repeat: `b in a.${'d'.repeat(400)}` };
    const names = variablesOf([{ content: [nested], repeat: `a in ${'e'.repeat(400)}` }]);
    expect(names.map(({ length }) => length)).toEqual([400, 500]);
  });
});

describe('a merge tag', () => {
  it.each([
    ['{{a | default: &quot;b&quot;}}', 'b'],
    ['{{a | default: &#34;b&#39;&#34;}}', `b'`],
    ['{{a&nbsp;|\u00a0default: &apos;&lt;&gt;&amp;&apos;}}', '<>&'],
    ['{{a | default: "&copy;"}}', '&copy;'],
  ])('%s is parsed after its HTML entities are decoded: %s', (tag, expected) => {
    expect(fill(tag, {})).toBe(expected);
  });

  it('is not recognised in members that identify a node', () => {
    const warnings = new RenderWarnings();
    const node = { id: '{{a', type: '{{a', $module: { name: '{{a' }, 'b/~c': [['{{d']] };
    replaceTags(warnings, new Placeholders(), { list: [node], more: { e: '{{f' }, g: 7 });
    expect(warnings.list.map(({ path }) => path)).toEqual(['/list/0', '']);
  });

  it('that an author writes as a placeholder stays text', () => {
    expect(fill('\ue000t0\ue001{{a}}', { a: 1 })).toBe('\ue000t0\ue0011');
  });
});

it('too many expressions are refused', () => {
  const many = (count: number) => compile(['{{a}}'.repeat(count)]);
  expect(() => many(10_000)).not.toThrow();
  expect(() => many(10_001)).toThrow('it has more than 10,000 merge tags.');
  const filters = (count: number) =>
    compile([Array.from({ length: count }, (_, index) => `{{a | default: ${index}}}`).join('')]);
  expect(() => filters(100)).not.toThrow();
  expect(() => filters(101)).toThrow('it has more than 100 different filters.');
  const condition = Array.from({ length: 99 }, () => 'a').join(' or ');
  const nodes = (count: number) =>
    compile(Array.from({ length: count }, () => ({ content: '', condition })));
  expect(() => nodes(200)).not.toThrow();
  expect(() => nodes(300)).toThrow('are too long in total.');
});

describe('the cost', () => {
  /** Counts the steps that the parts take as text or as HTML. */
  function stepsOf(parts: Part[], data: MergeData | undefined, isHtml = false): number {
    const { text, placeholders } = compile(parts);
    const spend = jest.spyOn(cost.Cost.prototype, 'spend');
    const program = isHtml
      ? htmlProgram(text, placeholders)
      : textProgram(text, placeholders, new Set([1]));
    new Personalisation(data, 'en').fill(program);
    const steps = spend.mock.calls.reduce((sum, [each]) => sum + each, 0);
    spend.mockRestore();
    return steps;
  }
  const { PART, NAME, OPERATOR, FILTER, COMPARED, ENCODED, ESCAPED, WRITTEN, LAID_OUT } = cost;
  const long = 'a'.repeat(1_000);
  const written = (length: number) => length / WRITTEN + length / LAID_OUT;

  it.each<[what: string, steps: number, expected: number]>([
    ['a text', stepsOf([long], {}), written(1_000)],
    ['HTML', stepsOf([long], {}, true), 1_000 / WRITTEN],
    [
      'a value',
      stepsOf(['{{a.b.c}}'], { a: { b: { c: long } } }),
      PART + 3 * NAME + written(1_000),
    ],
    [
      'a value in HTML',
      stepsOf(['<p>{{a}}'], { a: '<'.repeat(100) }, true),
      PART + NAME + 400 / ESCAPED + 403 / WRITTEN,
    ],
    [
      'a value in a URL',
      stepsOf(['{{b}} /{{a}}'], { a: '@@' }),
      2 * (PART + NAME) + written(2) + 2 / ENCODED + written(6),
    ],
    ['a tag without data', stepsOf(['{{a}}'], undefined), PART + written(5)],
    ['a filter', stepsOf(['{{a | default: "b"}}'], {}), PART + NAME + FILTER + written(1)],
    ['a node', stepsOf([{ content: '', condition: 'true' }], {}), 2 * PART + OPERATOR],
    [
      'items in items',
      stepsOf([{ content: [{ content: '{{a}}', repeat: 'b in a.b' }], repeat: 'a in a' }], {
        a: [{ b: [1] }],
      }),
      // The terms are two nodes with one item each, the list `a`, the list `a.b`, and the merge tag `a`. The lookup for
      // the merge tag compares `a` with the item `b` first.
      4 * PART + NAME + 2 * NAME + PART + 2 * NAME + written(0),
    ],
    [
      'operators',
      stepsOf([{ content: '', condition: 'not a and b or c' }], {}),
      2 * PART + 6 * OPERATOR + 3 * NAME,
    ],
    [
      'texts to compare',
      stepsOf([{ content: '', condition: 'a == b' }], { a: long, b: `${long}b` }),
      2 * PART + OPERATOR + 2 * NAME + 1_000 / COMPARED,
    ],
  ])('of %s', (_what, steps, expected) => {
    expect(steps).toBeCloseTo(expected, 6);
  });

  it('yields to the event loop every 1,000 steps', () => {
    const { program } = compileText([{ content: '', repeat: 'x in list' }]);
    const run = new Personalisation({ list: Array<number>(5_000).fill(0) }, 'en');
    expect(Array.from(run.fillInSteps(program))).toHaveLength(10);
  });
});

it('a result of more than 8,000,000 characters is refused', () => {
  const { text, placeholders } = compile([{ content: 'a'.repeat(100_000), repeat: 'x in list' }]);
  const program = htmlProgram(text, placeholders);
  const render = (count: number) => {
    const data = { list: Array<number>(count).fill(0) };
    return new Personalisation(data, 'en').fill(program).length;
  };
  expect(render(80)).toBe(8_000_000);
  expect(() => render(81)).toThrow('the result has more than 8,000,000 characters');
});
