import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { targetOf, reachedByBest, type SkippedRow, type Row } from './figures.js';
import { describeMachine } from './machine.js';
import { chart, formatRow, readme, table } from './report.js';
import { Harness } from './harness.js';
import { apiAttackRows, fillingRows } from './rows/api-attacks.js';
import { attackRows } from './rows/attacks.js';
import { costRows } from './cost/rows.js';
import { createRows, outboxRow } from './rows/documents/create.js';
import { deliveryRows, workersRow } from './rows/deliveries.js';
import { historyRows } from './rows/history.js';
import { idleRow } from './rows/idle.js';
import { indexingRows } from './rows/documents/indexing.js';
import { isolationRows } from './rows/isolation.js';
import { latencyRows } from './rows/latency.js';
import { listRows } from './rows/documents/list.js';
import { memoryRows } from './rows/memory.js';
import { externalIdsRow } from './rows/documents/external-ids.js';
import { publishedRow } from './rows/documents/published.js';
import { readRows } from './rows/documents/read.js';
import { rivalRows } from './rows/rivals/rows.js';
import { renderAttackRows } from './rows/render-attacks.js';
import { renderingRows } from './rows/documents/rendering.js';
import { referencesRow } from './rows/documents/references.js';
import { searchRows } from './rows/documents/search.js';
import { tracingRows } from './rows/tracing.js';
import { usageUpdatesRow } from './rows/documents/usage-updates.js';
import { UnfinishedRun } from './unfinished-run.js';
import { measureCosts } from './scale/measure.js';
import { writeFiles } from './scale/page.js';

const SUITES: Record<string, (harness: Harness) => AsyncGenerator<Row | SkippedRow>> = {
  create: createRows,
  read: readRows,
  list: listRows,
  cost: costRows,
  deliveries: deliveryRows,
  rivals: rivalRows,
  latency: latencyRows,
  workers: workersRow,
  outbox: outboxRow,
  references: referencesRow,
  'external-ids': externalIdsRow,
  published: publishedRow,
  search: searchRows,
  indexing: indexingRows,
  'usage-updates': usageUpdatesRow,
  rendering: renderingRows,
  tracing: tracingRows,
  idle: idleRow,
  memory: memoryRows,
  isolation: isolationRows,
  attacks: attackRows,
  'api-attacks': apiAttackRows,
  filling: fillingRows,
  'render-attacks': renderAttackRows,
  history: historyRows,
};

const FULL = { rounds: 5, seconds: 4, quick: false };
// One round that reaches the floor is enough, so more rounds are measured only where none of the first two does.
const QUICK = { rounds: 2, seconds: 1, quick: true };
const QUICK_AGAIN = { ...QUICK, rounds: 5 };
// The part of each target that the best round of the quick form must reach. Noise lowers some rounds, and
// often the median of a p99 as well; a collapse lowers all rounds. On a machine with slower processors and a
// faster disk, rows 1 and 2 reach half of their targets, because the baselines mostly wait for the disk.
const FLOOR = 0.4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
  },
});
// This part has no rows, because it compares nothing. It runs only if it is named.
const SCALE = 'scale';
const names = [...Object.keys(SUITES), SCALE];
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  fail(`There is no ${unknown.join(', ')}; choose from ${names.join(', ')}.`);
}
// The quick form leaves out these rows: they take minutes, and their ratios need a quiet machine.
const ATTACKS = ['attacks', 'api-attacks', 'render-attacks'];
const standard = Object.keys(SUITES).filter((name) => !values.quick || !ATTACKS.includes(name));
const chosen = positionals.length > 0 ? positionals.filter((name) => name !== SCALE) : standard;

process.once('SIGINT', () => process.exit(130));
log('Starting PostgreSQL and Redis …');
const harness = await Harness.start(values.quick ? QUICK : FULL);
const machine = await describeMachine(harness);
log(machine.join('\n'));
if (positionals.includes(SCALE)) await measureScale();
const isWhole = !values.quick && chosen.length === Object.keys(SUITES).length;
if (values.resume && !isWhole) fail('--resume goes with no part and without --quick.');
const run = values.resume ? await UnfinishedRun.resume(machine) : UnfinishedRun.begin(machine);
if (run === undefined) fail('There is no unfinished run of this commit on this machine.');
if (isWhole && !values.resume) await run.end();
const rows: (Row | SkippedRow)[] = [];
const collapsed: Row[] = [];
const begun = Date.now();
for (const name of chosen) {
  let measured = run.parts[name] ?? (await measure(name));
  let low = measured.filter(isCollapsed);
  if (values.quick && low.length > 0) {
    // The quick form measures so briefly that some ratios vary. A real collapse shows in both measurements.
    log('  Far from a target or above a budget in every round; once more:');
    harness.scale = QUICK_AGAIN;
    measured = await measure(name);
    harness.scale = QUICK;
    low = measured.filter(isCollapsed);
  }
  if (isWhole) await run.add(name, measured);
  rows.push(...measured);
  collapsed.push(...low);
}
await harness.stop();
if (rows.length > 0) log(`\n${table(rows)}`);

if (isWhole) {
  const results = { at: new Date(), machine, rows };
  await writeFile('test/bench/results.json', `${JSON.stringify(results, null, 2)}\n`);
  await writeFile('test/bench/chart.svg', chart(rows));
  await readme(results);
  await run.end();
  log('Written to test/bench: results.json, chart.svg and the table of README.md.');
}
if (values.quick && collapsed.length > 0) {
  const list = collapsed.map((row) => `row ${row.number} (${floorOf(row)})`).join(', ');
  fail(`Worse than these in every round: ${list}.`);
}
if (values.quick && rows.length > 0) {
  log(
    `In its best round, every row reaches its budget or its part of the target, which is ${FLOOR} for most rows.`,
  );
}
process.exit(0);

async function measure(name: string): Promise<(Row | SkippedRow)[]> {
  const sinceStart = Math.round((Date.now() - begun) / 1000);
  log(`\n${name} (after ${sinceStart} s) …`);
  const measured: (Row | SkippedRow)[] = [];
  for await (const row of SUITES[name]?.(harness) ?? []) {
    measured.push(row);
    log(formatRow(row));
  }
  return measured;
}

/** Measures what each server needs for one create and one delivery; the full form writes docs/run/scaling.md. */
async function measureScale(): Promise<void> {
  log(`\n${SCALE} …`);
  const measurement = await measureCosts(harness, log);
  if (values.quick) return;
  await writeFiles({ at: new Date().toISOString(), machine, ...measurement });
  log('Written: test/bench/scale/results.json, docs/run/scaling.md and docs/images/scaling.svg.');
}

function isCollapsed(row: Row | SkippedRow): row is Row {
  if (!('ratio' in row)) return false;
  if (row.mostOfBest !== undefined) return !(row.ratio.lowest <= row.mostOfBest);
  return !(reachedByBest(row) >= (row.floor ?? FLOOR));
}

const floorOf = (row: Row): string =>
  row.mostOfBest === undefined
    ? `${row.floor ?? FLOOR} of the target ${targetOf(row)}`
    : `the budget of ${row.mostOfBest.toFixed(2)}`;

function log(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
