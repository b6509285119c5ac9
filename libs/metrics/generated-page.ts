import { readFile, writeFile } from 'node:fs/promises';
import { catalogue, type Definition } from './catalogue.js';

export const METRICS_PAGE = 'docs/run/metrics.md';
const TABLE_SECTION = /(<!-- metrics -->\n)[^]*?(<!-- \/metrics -->)/;

const PROGRAM_NAMES = { api: 'API', worker: 'worker' };

function metricsTable(): string {
  const rows = Object.entries<Definition>(catalogue).map(
    ([name, { type, programs, labels, help }]) => {
      const labelList = labels.map((label) => `\`${label}\``).join(', ');
      const exporters = programs.map((program) => PROGRAM_NAMES[program]).join(', ');
      return `| \`${name}\` | ${type} | ${labelList} | ${exporters} | ${help} |`;
    },
  );
  return [
    '| metric | type | labels | exported by | meaning |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** Returns the text of docs/run/metrics.md, with its table generated from the catalogue. */
export async function generatedPage(): Promise<string> {
  const page = await readFile(METRICS_PAGE, 'utf8');
  return page.replace(
    TABLE_SECTION,
    (_match, start: string, end: string) => `${start}\n${metricsTable()}\n\n${end}`,
  );
}

export const writeGeneratedPage = async (): Promise<void> =>
  writeFile(METRICS_PAGE, await generatedPage());
