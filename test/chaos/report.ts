import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { format } from 'prettier';

export interface Chapter {
  name: string;
  /** Seconds since the beginning of the run. */
  from: number;
  to: number;
  /** Seconds from the end of the fault until an API created something. */
  writesAfter: number;
  /** Seconds from the end of the fault until all events from before had arrived. */
  deliveredAfter: number;
}

export interface Run {
  queue: 'Redis' | 'PostgreSQL';
  date: string;
  minutes: number;
  deliveries: number;
  duplicates: number;
  rolledBack: number;
  kills: number;
  /** How often a program ended by itself. */
  exits: number;
  responses: { created: number; unavailable: number; inUse: number; lost: number };
  skipped: string[];
  chapters: Chapter[];
  /** What arrived in each second, and what had not arrived at its end. */
  timeline: { arrived: number; backlog: number }[];
}

const PAGE = 'docs/run/reliability.md';
const MARKED = /(<!-- chaos -->)[\s\S]*(<!-- \/chaos -->)/;
const RESULTS = 'test/chaos/results.json';

/** Stores the results of a run, and writes them with a chart into the page. */
export async function publish(run: Run): Promise<void> {
  const earlier = JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '[]')) as Run[];
  const runs = [...earlier.filter(({ queue }) => queue !== run.queue), run].toSorted((a, b) =>
    b.queue.localeCompare(a.queue),
  );
  await writeFile(RESULTS, await format(JSON.stringify(runs), { parser: 'json', printWidth: 100 }));
  await writeFile(`docs/images/${imageOf(run)}`, chart(run));
  const page = await readFile(PAGE, 'utf8');
  const section = runs.map(describeRun).join('\n\n');
  const text = page.replace(MARKED, `$1\n\n${section}\n\n$2`);
  await writeFile(PAGE, await format(text, { parser: 'markdown', printWidth: 100 }));
}

const imageOf = ({ queue }: Run) => `chaos-${queue.toLowerCase()}.svg`;

const count = (figure: number) => figure.toLocaleString('en');

export function describeRun(run: Run): string {
  const { responses, chapters } = run;
  const rows = chapters.map(
    ({ name, from, to, writesAfter, deliveredAfter }, at) =>
      `| ${at + 1} | ${name} | ${(to - from).toFixed(0)} s | ${writesAfter.toFixed(1)} s | ${deliveredAfter.toFixed(1)} s |`,
  );
  const skipped = run.skipped.map((reason) => `Left out: ${reason}.`).join(' ');
  return `### The queue in ${run.queue}

${run.date}, ${cpus().length} cores, ${run.minutes.toFixed(0)} minutes: ${count(run.deliveries)} deliveries and ${count(run.kills)} kills. Not one event was lost, and none of ${count(run.rolledBack)} events that were rolled back arrived. ${count(run.duplicates)} deliveries (${((100 * run.duplicates) / run.deliveries).toFixed(1)} %) arrived twice. Of the requests to the API, ${count(responses.created)} got 201, ${count(responses.unavailable)} got 503 with \`Retry-After\`, ${count(responses.inUse)} got 409 because the request was still running, and ${count(responses.lost)} lost their connection to a killed API. Programs ended by themselves ${count(run.exits)} times. ${skipped}

![Deliveries a second and backlog, with the faults](../images/${imageOf(run)})

| # | fault | duration | the API creates after | all earlier events arrived after |
| --: | --- | --: | --: | --: |
${rows.join('\n')}`;
}

const WIDTH = 920;
const LEFT = 60;
const PLOT = WIDTH - LEFT - 10;
const PANEL = 150;
const PANELS = [
  { key: 'arrived', title: 'deliveries a second', y: 40, colour: '#3b82f6' },
  {
    key: 'backlog',
    title: 'backlog: deliveries promised and not arrived',
    y: 230,
    colour: '#d97706',
  },
] as const;
// Readable on white and on black.
const GREY = '#808080';

/** Deliveries a second and the backlog over time. A band is the time of a fault, with its number. */
function chart({ timeline, chapters }: Run): string {
  const seconds = Math.max(1, timeline.length);
  const x = (second: number) => (LEFT + (second / seconds) * PLOT).toFixed(1);
  const panels = PANELS.map(({ key, title, y, colour }) => {
    const highest = Math.max(1, ...timeline.map((sample) => sample[key]));
    const points = timeline.map(
      (sample, second) => `${x(second)},${(y + PANEL * (1 - sample[key] / highest)).toFixed(1)}`,
    );
    return `  <text x="${LEFT}" y="${y - 6}">${title}</text>
  <text x="${LEFT - 6}" y="${y + 10}" text-anchor="end">${count(highest)}</text>
  <text x="${LEFT - 6}" y="${y + PANEL}" text-anchor="end">0</text>
  <line x1="${LEFT}" x2="${LEFT + PLOT}" y1="${y + PANEL}" y2="${y + PANEL}" stroke="${GREY}"/>
  <polyline points="${points.join(' ')}" fill="none" stroke="${colour}"/>`;
  });
  const bottom = PANELS[1].y + PANEL;
  const bands = chapters.map(({ from, to }, at) => {
    const width = Math.max(2, ((to - from) / seconds) * PLOT);
    return `  <rect x="${x(from)}" y="20" width="${width.toFixed(1)}" height="${bottom - 20}" fill="${GREY}" fill-opacity="0.2"/>
  <text x="${x(from)}" y="14" font-size="10">${at + 1}</text>`;
  });
  const minutes = Array.from(
    { length: Math.floor(seconds / 60) + 1 },
    (_, minute) =>
      `  <text x="${x(minute * 60)}" y="${bottom + 16}" text-anchor="middle">${minute} min</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 24}" width="${WIDTH}" height="${bottom + 24}" font-family="sans-serif" font-size="12" fill="${GREY}">
${[...bands, ...panels, ...minutes].join('\n')}
</svg>
`;
}
