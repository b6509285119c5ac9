/*
 * The chart is SVG by hand: a library for charts brings a DOM or dozens of packages for one
 * picture of lines, and its output would change with each update.
 */
import {
  eventsPerSecondOn,
  firstLimit,
  limitsOf,
  perDay,
  type EventCost,
  type Limits,
} from './model.js';

/** A line of the chart: the cost of an event with as many deliveries. */
export interface Line {
  deliveries: number;
  cost: EventCost;
}

const CORES = [1, 2, 4, 8, 16, 32, 64, 128];
const LIMIT_NAMES: Record<keyof Limits, string> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
  wal: 'WAL',
};
const PANEL = { width: 400, height: 300, left: 62, top: 44, gap: 148, right: 90 };
const LEGEND_STEP = 216;
const STEPS = 160;
// Colours of the same brightness, which stand out on a white page and on a black one.
const COLOURS = ['#2f81c7', '#c9772b', '#8a63d2'];
const INK = '#7a828c';

interface Panel {
  title: string;
  x: number;
  valueOf: (eventsPerSecond: number, deliveries: number) => number;
}

/**
 * Two panels: deliveries a second, and events a day, against the cores of all servers. A line is dashed
 * where more cores change nothing, because a part that exists once is used up.
 */
export function chart(lines: readonly Line[]): string {
  const second = PANEL.left + PANEL.width + PANEL.gap;
  const panels: Panel[] = [
    {
      title: 'Deliveries a second, at the peak',
      x: PANEL.left,
      valueOf: (eventsPerSecond, deliveries) => eventsPerSecond * deliveries,
    },
    { title: 'Events a day', x: second, valueOf: (eventsPerSecond) => perDay(eventsPerSecond) },
  ];
  const width = second + PANEL.width + PANEL.right;
  const height = PANEL.top + PANEL.height + 92;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" fill="${INK}">
${panels.map((panel) => drawPanel(panel, lines)).join('\n')}
${legend(lines, height - 18)}
</svg>
`;
}

function drawPanel({ title, x, valueOf }: Panel, lines: readonly Line[]): string {
  const curves = lines.map(({ deliveries, cost }) => ({
    limit: firstLimit(limitsOf(cost)),
    points: coreSteps().map((cores) => {
      const eventsPerSecond = eventsPerSecondOn(cost, cores);
      return { cores, eventsPerSecond, value: valueOf(eventsPerSecond, deliveries) };
    }),
  }));
  const values = curves.flatMap(({ points }) => points.map(({ value }) => value));
  const [lowest, highest] = [powerBelow(Math.min(...values)), powerAbove(Math.max(...values))];
  const toX = (cores: number) => x + (PANEL.width * Math.log2(cores)) / Math.log2(LAST_CORES);
  const toY = (value: number) =>
    PANEL.top + PANEL.height * (1 - Math.log10(value / lowest) / Math.log10(highest / lowest));
  const path = (points: readonly { cores: number; value: number }[]) =>
    points
      .map((point) => `${toX(point.cores).toFixed(1)},${toY(point.value).toFixed(1)}`)
      .join(' ');
  const drawn = curves.map(({ points, limit }, index) => {
    const isGrowing = (point: { eventsPerSecond: number }) =>
      point.eventsPerSecond < limit.eventsPerSecond;
    const growing = points.filter(isGrowing);
    const flat = points.slice(Math.max(0, growing.length - 1));
    const style = `fill="none" stroke="${COLOURS[index] ?? INK}" stroke-width="2.5"`;
    const end = flat[1] ?? points.at(-1);
    const dot =
      flat.length > 1 && end !== undefined
        ? `
  <circle cx="${toX(end.cores).toFixed(1)}" cy="${toY(end.value).toFixed(1)}" r="4" fill="${COLOURS[index] ?? INK}"/>
  <text x="${x + PANEL.width + 8}" y="${(toY(end.value) + 4).toFixed(1)}" fill="${COLOURS[index] ?? INK}">${LIMIT_NAMES[limit.name]}</text>`
        : '';
    return `  <polyline points="${path(growing)}" ${style}/>
  <polyline points="${path(flat)}" ${style} stroke-dasharray="2 5"/>${dot}`;
  });
  return `  <text x="${x}" y="24" font-size="14" font-weight="bold">${title}</text>
${grid(x, { lowest, highest }, toX, toY)}
${drawn.join('\n')}`;
}

/** Lines and labels at each power of ten, and at each number of cores. */
function grid(
  x: number,
  { lowest, highest }: { lowest: number; highest: number },
  toX: (cores: number) => number,
  toY: (value: number) => number,
): string {
  const bottom = PANEL.top + PANEL.height;
  const rows = Array.from({ length: Math.round(Math.log10(highest / lowest)) + 1 }, (_, step) => {
    const value = lowest * 10 ** step;
    const y = toY(value).toFixed(1);
    return `  <line x1="${x}" x2="${x + PANEL.width}" y1="${y}" y2="${y}" stroke="${INK}" stroke-opacity="0.3"/>
  <text x="${x - 8}" y="${Number(y) + 4}" text-anchor="end">${short(value)}</text>`;
  });
  const columns = CORES.map(
    (cores) =>
      `  <text x="${toX(cores).toFixed(1)}" y="${bottom + 18}" text-anchor="middle">${cores}</text>`,
  );
  return `${rows.join('\n')}
${columns.join('\n')}
  <text x="${x + PANEL.width / 2}" y="${bottom + 38}" text-anchor="middle">cores of all servers together</text>`;
}

function legend(lines: readonly Line[], y: number): string {
  const entries = lines.map(({ deliveries }, index) => {
    const x = PANEL.left + index * LEGEND_STEP;
    const colour = COLOURS[index] ?? INK;
    return `  <line x1="${x}" x2="${x + 24}" y1="${y - 4}" y2="${y - 4}" stroke="${colour}" stroke-width="2.5"/>
  <text x="${x + 32}" y="${y}">${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'} for each event</text>`;
  });
  const x = PANEL.left + lines.length * LEGEND_STEP;
  return `${entries.join('\n')}
  <circle cx="${x + 12}" cy="${y - 4}" r="4"/>
  <text x="${x + 32}" y="${y}">this part is used up</text>`;
}

const LAST_CORES = CORES.at(-1) ?? 1;

const coreSteps = (): number[] =>
  Array.from({ length: STEPS + 1 }, (_, step) => LAST_CORES ** (step / STEPS));

const powerBelow = (value: number) => 10 ** Math.floor(Math.log10(value));
const powerAbove = (value: number) => 10 ** Math.ceil(Math.log10(value));

const short = (value: number): string =>
  value >= 1e9
    ? `${value / 1e9} bn`
    : value >= 1e6
      ? `${value / 1e6} m`
      : value.toLocaleString('en');
