import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { parse } from 'yaml';
import { catalogue } from './catalogue.js';

const ROOT = join(import.meta.dirname, '../..');

interface Panel {
  title: string;
  targets?: { expr: string }[];
}
interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook: string };
}

const read = (path: string) => readFile(join(ROOT, path), 'utf8');
const filesOf = async (pattern: string) => {
  const paths: string[] = [];
  for await (const path of glob(pattern, { cwd: ROOT })) paths.push(path);
  return paths;
};

const boards = await Promise.all(
  (await filesOf('docker/grafana/dashboards/*.json')).map(
    async (path) => JSON.parse(await read(path)) as { title: string; panels: Panel[] },
  ),
);
const { groups } = parse(await read('docker/prometheus/alerts.yml')) as {
  groups: { rules: Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);
const runbookPaths = await filesOf('docs/run/runbooks/*/*.md');

const chart = await read('docker/helm/galley/templates/worker.yaml');
const kedaQueries = [...chart.matchAll(/^ +query: (.+)$/gm)].map(([, query = '']) =>
  query.replaceAll(/\{\{.+?\}\}/g, '"mail"'),
);

const panels = boards.flatMap((board) => board.panels);
const expressions = [
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`panel ${title}`, expr] as const),
  ),
  ...alerts.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...kedaQueries.map((query, index) => [`query ${index + 1} for KEDA`, query] as const),
];

const defaultMetrics = new Registry();
collectDefaultMetrics({ register: defaultMetrics });

/** The labels that scraping adds to all series. Prometheus adds `job` and `instance`; its operator adds `namespace`. */
const SCRAPE_LABELS = ['job', 'instance', 'namespace'];

/** Returns the labels of a series by its name; undefined if Galley exports no such series. */
function labelsOf(series: string): readonly string[] | undefined {
  const name = series.replace(/_(bucket|sum|count)$/, '');
  for (const candidate of [series, name]) {
    if (candidate in catalogue) {
      const { labels } = catalogue[candidate as keyof typeof catalogue];
      return series.endsWith('_bucket') ? [...labels, 'le'] : labels;
    }
    if (defaultMetrics.getSingleMetric(candidate)) return ['kind', 'le', 'version'];
  }
  return undefined;
}

it.each(expressions)('%s uses only series and labels that exist', (_where, expression) => {
  const series = expression.match(/\b(galley|nodejs|process)_\w+/g) ?? [];
  expect(series).not.toEqual([]);
  const labels = series.flatMap((name) => labelsOf(name) ?? [`no series ${name}`]);
  expect(labels.filter((label) => label.startsWith('no series'))).toEqual([]);
  const grouped = [...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(/, */),
  );
  const selected = [...expression.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label);
  for (const label of [...grouped, ...selected]) {
    expect([...labels, ...SCRAPE_LABELS]).toContain(label);
  }
});

it('the chart has two queries for KEDA', () => {
  expect(kedaQueries).toHaveLength(2);
});

it('there is a dashboard for each of the three kinds of readers', () => {
  expect(boards.map(({ title }) => title).sort()).toEqual([
    'Galley for platform engineers',
    'Galley for product teams',
    'Galley for subscribers',
  ]);
});

it.each(alerts.map((alert) => [alert.alert, alert] as const))(
  '%s has a severity and a runbook',
  async (name, { labels, annotations }) => {
    expect(['page', 'ticket']).toContain(labels.severity);
    const runbook = await read(annotations.runbook);
    expect(runbook).toMatch(new RegExp(`^# ${name}\n`));
    expect(runbook.match(/^## .*/gm)).toEqual([
      '## What it means',
      '## What to look at',
      '## What to do',
    ]);
  },
);

it('the list of runbooks contains every alert with its severity', async () => {
  const list = await read('docs/run/runbooks/README.md');
  const rows = Array.from(
    list.matchAll(/^\| \[(\w+)\]\((.+?)\) +\| (\w+) /gm),
    ([, ...columns]) => columns,
  );
  const expected = alerts.map(({ alert, annotations, labels }) => [
    alert,
    annotations.runbook.replace('docs/run/runbooks/', ''),
    labels.severity,
  ]);
  expect(rows).toEqual(expected);
});

it('each runbook belongs to an alert, and names only panels that exist', async () => {
  expect(runbookPaths.sort()).toEqual(alerts.map(({ annotations }) => annotations.runbook).sort());
  const titles = panels.map(({ title }) => title);
  for (const path of runbookPaths) {
    const named = [...(await read(path)).matchAll(/(?<![\w`])_([A-Z][^_`\n]+)_(?!\w)/g)];
    for (const [, title] of named) expect(titles).toContain(title);
  }
});

it('runbooks quote only log lines and messages that occur in the code', async () => {
  const paths = [...(await filesOf('{apps,libs}/**/*.ts'))];
  const sources = (await Promise.all(paths.map(read))).join('\n');
  const has = (...texts: string[]) => texts.some((text) => sources.includes(text));
  for (const path of runbookPaths) {
    const runbook = await read(path);
    for (const [quoted, stage = ''] of runbook.matchAll(/"stage":"(\w+)"/g)) {
      expect([quoted, has(`stage: '${stage}'`, `oops.start('${stage}'`)]).toEqual([quoted, true]);
    }
  }
  const notReady = await read('docs/run/runbooks/availability/not-ready.md');
  const messages = [...notReady.matchAll(/^\| ([A-Z].*?\.) +\|/gm)].map(
    ([, message = '']) => message,
  );
  expect(messages.length).toBeGreaterThan(5);
  for (const message of messages) {
    // If a check gets no response, its message begins with the name of the check.
    const name = message.replace(/ does not respond\.$/, '');
    expect([message, has(message, `name: '${name}'`)]).toEqual([message, true]);
  }
});
