import { readFile, writeFile } from 'node:fs/promises';
import { targetOf, reached, type SkippedRow, type Row } from './figures.js';

type Rows = readonly (Row | SkippedRow)[];

export interface Results {
  at: Date;
  machine: readonly string[];
  rows: Rows;
}

/** A row as one line of the terminal. */
export const formatRow = (row: Row | SkippedRow): string =>
  'skipReason' in row
    ? `  ${row.number}: left out, ${row.skipReason}`
    : `  ${row.number}: ${row.what}: ${cells(row).slice(3).join('  ')}`;

/** All rows as a table in Markdown. */
export function table(rows: Rows): string {
  const head = ['#', 'Galley', 'baseline', 'measured', 'ratio (lowest to highest)', 'target', ''];
  return markdownTable(
    head,
    rows.map((row) =>
      'skipReason' in row
        ? [row.number, `skipped: ${row.skipReason}`, '', '', '', '', '']
        : cells(row),
    ),
  );
}

/** A table in Markdown, as Prettier lays it out. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [head, head.map(() => '---'), ...rows];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((each) => each[column]?.length ?? 0)),
  );
  return lines
    .map((each, at) => {
      const padded = each.map((cell, column) =>
        cell.padEnd(widths[column] ?? 0, at === 1 ? '-' : ' '),
      );
      return `| ${padded.join(' | ')} |`;
    })
    .join('\n');
}

function cells(row: Row): string[] {
  const { number, what, baseline, galley, against, unit, ratio } = row;
  const measured = against === undefined ? '' : ` against ${count(against)}`;
  return [
    number,
    what,
    baseline,
    `${count(galley)}${measured} ${unit}`,
    `${ratio.median.toFixed(2)} (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)})`,
    limit(row),
    reached(row) >= 1 ? 'met' : '**missed**',
  ];
}

const limit = (row: Row) => `${'atLeast' in row.target ? '≥' : '≤'} ${targetOf(row)}`;

const count = (figure: number) =>
  figure.toLocaleString('en', { maximumFractionDigits: figure < 100 ? 1 : 0 });

const ROW_HEIGHT = 36;
const SCALE = 220;
// A little more than the mean width of a character, in pixels at the font size of the chart.
const CHARACTER_WIDTH = 6.4;
// Bars end at twice the target.
const LONGEST = 2;

/**
 * A chart with a bar for each row. The length of the bar shows how far the target is reached, a green bar
 * means that the target is met, and the dashed line is the target.
 */
export function chart(rows: Rows): string {
  const measured = rows.filter((row): row is Row => 'ratio' in row);
  const labels = measured.map(labelOf);
  const left = Math.ceil(Math.max(...labels.map(({ length }) => length)) * CHARACTER_WIDTH) + 10;
  const height = (measured.length + 1) * ROW_HEIGHT + 10;
  const target = left + SCALE;
  const bars = measured.map((row, at) => {
    const y = (at + 1) * ROW_HEIGHT;
    const width = Math.min(reached(row), LONGEST) * SCALE;
    const cut = reached(row) > LONGEST ? '… ' : '';
    const colour = reached(row) >= 1 ? '#2b8a3e' : '#c92a2a';
    return `  <text x="${left - 10}" y="${y + 10}" text-anchor="end">${labels[at] ?? ''}</text>
  <text x="${left - 10}" y="${y + 23}" text-anchor="end" font-size="10" fill="#666">${row.baseline}</text>
  <rect x="${left}" y="${y}" width="${width.toFixed(1)}" height="${ROW_HEIGHT - 10}" fill="${colour}"/>
  <text x="${(left + width + 6).toFixed(1)}" y="${y + 18}">${cut}${row.ratio.median.toFixed(2)} (${limit(row)})</text>`;
  });
  const width = left + LONGEST * SCALE + 130;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">
  <rect width="100%" height="100%" fill="white"/>
  <text x="${target}" y="16" text-anchor="middle">target</text>
${bars.join('\n')}
  <line x1="${target}" x2="${target}" y1="20" y2="${height - 6}" stroke="black" stroke-dasharray="3 3"/>
</svg>
`;
}

/** The number and the name of a row. The number leaves out what the name repeats. */
const labelOf = ({ number, what }: Row): string =>
  `${number.replace(/ \((.*?)(?:, p50)?\)$/, (all, part: string) => (what.includes(part) ? '' : all))}: ${what}`;

const FILE = 'test/bench/README.md';
const MARKED = /(<!-- results -->)[\s\S]*(<!-- \/results -->)/;

/** Puts the results between the markers of the README. */
export async function readme({ at, machine, rows }: Results): Promise<void> {
  const text = await readFile(FILE, 'utf8');
  const results = `![How far each target is reached](chart.svg)\n\nMeasured on ${at.toISOString().slice(0, 10)}:\n\n${machine.map((each) => `- ${each}`).join('\n')}\n\n${table(rows)}\n\nThe same is in [results.json](results.json).`;
  await writeFile(FILE, text.replace(MARKED, `$1\n\n${results}\n\n$2`));
}
