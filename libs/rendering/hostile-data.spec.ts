import { describe, expect, it } from '@jest/globals';
import compile from './drawing/compile.js';
import type { CompiledDocument } from './drawing/index.js';
import { Personalisation, type MergeData } from './personalisation/index.js';

// The longest time for which the event loop may be blocked. On a two-core machine, steps take up to 10 ms.
const MAX_STEP_MS = 20;
// All steps together take 30 ms on an idle machine, and up to four times as long on a busy machine.
const MAX_TOTAL_MS = 150;
const MAX_RUNS = 20;

const text = (content: string, node: object = {}) => ({
  type: 'text',
  props: { content },
  ...node,
});
const documentOf = (blocks: object[], more: object = {}) => ({
  ...more,
  stripes: [{ containers: [{ blocks }] }],
});
const repeated = (content: string, condition?: string) =>
  documentOf([text(content, { repeat: 'item in list', condition })]);
const list = (count: number, item: unknown = 0) => Array<unknown>(count).fill(item);
const chain = (filter: string) => `{{a${` | ${filter}`.repeat(10)}}}`;

// A request body may contain up to 128 KiB of data.
const long = 60_000;
const ATTACKS: Record<string, [document: object, data: MergeData]> = {
  'a long condition': [repeated('', `${'0 or '.repeat(99)}1`), { list: list(49_000) }],
  'a long condition with names': [repeated('', `${'a or '.repeat(99)}1`), { list: list(49_000) }],
  'a long condition with comparisons': [
    repeated('', `${'0==1 or '.repeat(62)}1`),
    { list: list(49_000) },
  ],
  'a long condition of a row in a table': [
    documentOf([
      {
        type: 'table',
        props: {
          rows: [['A'], { cells: ['B'], repeat: 'b in list', condition: `${'0 or '.repeat(99)}1` }],
        },
      },
    ]),
    { list: list(49_000) },
  ],
  'a chain of not': [repeated('', `${'not '.repeat(124)}1`), { list: list(49_000) }],
  'long texts to compare': [
    repeated('', `${'a==b or '.repeat(62)}1`),
    { list: list(100), a: 'a'.repeat(long), b: `${'a'.repeat(long - 1)}ж` },
  ],
  'texts to escape': [repeated('{{a}}'), { list: list(5_000), a: '&"<>'.repeat(20_000) }],
  'texts to encode': [
    repeated('<a href="https://example.com/{{a}}">A</a>'),
    { list: list(5_000), a: '漢@'.repeat(15_000) },
  ],
  'letters to change': [
    documentOf([text(`${chain('upcase')}${chain('capitalize')}`)], { language: 'el' }),
    { a: 'ΐ'.repeat(long) },
  ],
  'a long language': [
    documentOf([text('{{a | upcase}}', { repeat: 'item in list' })], {
      language: `en-x${'-abcdefgh'.repeat(10_000)}`,
    }),
    { list: list(5_000), a: 'a' },
  ],
  'chains of default': [repeated(chain('default: ""')), { list: list(49_000) }],
  'long numbers': [repeated('{{item | number: 100}}'), { list: list(13_000, 1e300) }],
  prices: [repeated('{{item | currency: "EUR"}}'), { list: list(49_000) }],
  times: [repeated('{{item | datetime: "full", "America/New_York"}}'), { list: list(49_000) }],
  'a hundred formatters, again and again': [
    documentOf(
      Intl.supportedValuesOf('timeZone')
        .slice(0, 100)
        .map((zone) => text(`{{a | datetime: "full", "${zone}"}}`)),
    ),
    { a: 0 },
  ],
  'lines to break': [repeated('{{a}}'), { list: list(100), a: 'w '.repeat(30_000) }],
  'a long indent': [documentOf([text('{{a}}')]), { a: '> '.repeat(15_000) + 'w '.repeat(15_000) }],
  'lists in lists': [
    {
      stripes: [
        {
          repeat: 'a in list',
          containers: [{ repeat: 'b in list', blocks: [text('{{c}}', { repeat: 'c in list' })] }],
        },
      ],
    },
    { list: list(49) },
  ],
};

async function compiled(document: object): Promise<CompiledDocument> {
  const content = JSON.stringify(document);
  const result = await compile({ content, title: 'Email', format: 'all' });
  if ('reason' in result) throw new Error(result.reason);
  return result;
}

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Fills in the data, and returns the CPU time of the longest step and of all steps together. */
function measure({ programs, locale }: CompiledDocument, data: MergeData) {
  const run = new Personalisation(data, locale);
  let longestMs = 0;
  const begun = processorMs();
  try {
    for (const program of Object.values(programs)) {
      const work = run.fillInSteps(program);
      for (let isDone: boolean | undefined = false; !isDone;) {
        const stepBegun = processorMs();
        isDone = work.next().done;
        longestMs = Math.max(longestMs, processorMs() - stepBegun);
      }
    }
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid' });
  }
  return { longestMs, totalMs: processorMs() - begun };
}

describe('data that takes long to fill in', () => {
  it.each(Object.entries(ATTACKS))(
    '%s: neither a single step nor all steps together take too long',
    async (_name, [document, data]) => {
      const program = await compiled(document);
      // The best of several runs counts, because garbage collection or JIT compilation may slow down a run. On a busy
      // machine, V8 compiles late.
      let [longestMs, totalMs] = [Infinity, Infinity];
      for (
        let run = 0;
        run < MAX_RUNS && (longestMs > MAX_STEP_MS || totalMs > MAX_TOTAL_MS);
        run++
      ) {
        const measured = measure(program, data);
        longestMs = Math.min(longestMs, measured.longestMs);
        totalMs = Math.min(totalMs, measured.totalMs);
      }
      expect(longestMs).toBeLessThanOrEqual(MAX_STEP_MS);
      expect(totalMs).toBeLessThanOrEqual(MAX_TOTAL_MS);
    },
  );
});

it('a document with more expressions than the event loop can receive at once is refused', async () => {
  const condition = (block: number) =>
    Array.from({ length: 40 }, (_, name) => `v${block}_${name}`).join(' or ');
  const blocks = Array.from({ length: 1_000 }, (_, block) =>
    text('A', { condition: condition(block) }),
  );
  await expect(compiled(documentOf(blocks))).rejects.toThrow('are too long in total');
});
