import { readFile, writeFile } from 'node:fs/promises';
import { chart } from './chart.js';
import { modelCosts } from './costs.js';
import type { Measurement } from './measure.js';
import { costAtPace, eventCost, paceFactor, type EventCost } from './model.js';
import {
  assumptionList,
  checkText,
  costTable,
  fleetTable,
  limitTable,
  processTable,
  sizeTable,
} from './tables.js';

/** All that a run writes down, in results.json. */
export interface Results extends Measurement {
  at: string;
  machine: readonly string[];
}

const RESULTS_FILE = 'test/bench/scale/results.json';
const PAGE_FILE = 'docs/run/scaling.md';
const CHART_FILE = 'docs/images/scaling.svg';
const CHARTED_DELIVERIES = [1, 4, 16];

/** The files that follow from the results, by path. */
export async function filesOf(results: Results): Promise<ReadonlyMap<string, string>> {
  const costOf = paceCosts(results);
  const lines = CHARTED_DELIVERIES.map((deliveries) => ({
    deliveries,
    cost: costOf(deliveries),
  }));
  const page = await readFile(PAGE_FILE, 'utf8');
  return new Map([
    [PAGE_FILE, withSections(page, sectionsOf(results))],
    [CHART_FILE, chart(lines)],
  ]);
}

export async function writeFiles(results: Results): Promise<void> {
  await writeFile(RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
  for (const [path, text] of await filesOf(results)) await writeFile(path, text);
}

export const readResults = async (): Promise<Results> =>
  JSON.parse(await readFile(RESULTS_FILE, 'utf8')) as Results;

/** What an event costs with as many deliveries, while the workers keep pace. */
function paceCosts({ processes, check }: Results): (deliveries: number) => EventCost {
  const [costs, factor] = [modelCosts(processes), paceFactor(check)];
  return (deliveries) => costAtPace(eventCost(costs, deliveries), factor);
}

/** The parts of the page that a run writes, by the name in their markers. */
function sectionsOf(results: Results): Readonly<Record<string, string>> {
  const costs = modelCosts(results.processes);
  const costOf = paceCosts(results);
  return {
    machine: [`Measured on ${results.at.slice(0, 10)}:`, list(results.machine)].join('\n\n'),
    costs: costTable(costs),
    processes: processTable(results.processes),
    check: checkText(results),
    assumptions: assumptionList(),
    limits: limitTable(
      [1, 4].flatMap((deliveries) => [costOf(deliveries), eventCost(costs, deliveries)]),
    ),
    sizes: sizeTable(costOf),
    databases: fleetTable(costOf(1)),
  };
}

/** Replaces the text between `<!-- scale:name -->` and `<!-- /scale:name -->`. */
export function withSections(page: string, sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections).reduce((text, [name, section]) => {
    const [begin, end] = [`<!-- scale:${name} -->`, `<!-- /scale:${name} -->`];
    const [before, after] = [text.indexOf(begin), text.indexOf(end)];
    if (before < 0 || after < before) throw new Error(`${PAGE_FILE} has no markers for ${name}.`);
    return `${text.slice(0, before + begin.length)}\n\n${section}\n\n${text.slice(after)}`;
  }, page);
}

const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
