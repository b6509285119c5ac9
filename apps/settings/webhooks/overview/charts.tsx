import '@mantine/charts/styles.css';
import type { StatisticsPoint } from '#client';
import { BarChart, LineChart } from '@mantine/charts';
import { SimpleGrid, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatDuration, formatNumber } from '../../controls/format.js';
import colours from '../parts.module.css';
import classes from './overview.module.css';
import { formatEstimate, MIN_ATTEMPTS, reliablePercentiles } from './percentiles.js';
import { formatStep, formatTick, type RangeName } from './ranges.js';
import { words } from './texts.js';

interface ChartsProps {
  points: readonly StatisticsPoint[];
  range: RangeName;
}

const HEIGHT = 220;
// The charts are not focusable, because keyboard users have the table below each chart. The top margin leaves room for
// half of the topmost label of the vertical axis.
const CHART = { accessibilityLayer: false, margin: { top: 10, right: 5, bottom: 0, left: 10 } };
// Shows every label of the vertical axis in full.
const Y_AXIS = { width: 'auto', interval: 0 } as const;

const { outcomes, responseTimes, totals } = words;

const OUTCOME_SERIES = [
  { name: 'delivered', label: outcomes.delivered, color: 'var(--chart-delivered)' },
  { name: 'retried', label: outcomes.retried, color: 'var(--chart-retried)' },
  { name: 'failed', label: outcomes.failed, color: 'var(--chart-failed)' },
];
const RESPONSE_TIME_SERIES = [
  { name: 'p50', label: responseTimes.p50, color: 'var(--chart-delivered)' },
  { name: 'p95', label: responseTimes.p95, color: 'var(--chart-retried)' },
];

const estimateOrNone = (milliseconds: number | null): string =>
  milliseconds === null ? totals.none : formatEstimate(milliseconds);

/** Charts of the outcomes of attempts and of the receiver's response times. */
export function Charts({ points, range }: ChartsProps) {
  const data = points.map((point) => ({ ...point, ...reliablePercentiles(point) }));
  const labelOf = ({ at }: StatisticsPoint): string => formatStep(at, range);
  /** Tooltip props. `describe` returns the first line of the tooltip. A closed tooltip has no point. */
  const tooltip = (describe: (point: StatisticsPoint) => string) => ({
    filterNull: false,
    labelFormatter: (at: unknown) => {
      const point = data.find((each) => each.at === at);
      return point && describe(point);
    },
  });
  const isLeftOut = data.some(({ attempts }) => attempts > 0 && attempts < MIN_ATTEMPTS);
  const common = {
    data,
    // The key is the time, not the label: the first and the last step of 24 hours have the same label.
    dataKey: 'at',
    h: HEIGHT,
    withLegend: true,
    // The chart is hidden from assistive technology, which reads the table below the chart.
    accessibilityLayer: false,
    textColor: 'var(--mantine-color-text)',
    legendProps: { verticalAlign: 'bottom', itemSorter: null },
    xAxisProps: {
      interval: 'equidistantPreserveStart',
      minTickGap: 24,
      tickFormatter: (at: string) => formatTick(at, range),
    },
  } as const;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" className={colours['charts'] ?? ''}>
      <ChartFigure
        title={outcomes.title}
        columns={[outcomes.time, ...OUTCOME_SERIES.map(({ label }) => label)]}
        rows={data.map((point) => [
          labelOf(point),
          formatNumber(point.delivered),
          formatNumber(point.retried),
          formatNumber(point.failed),
        ])}
      >
        <BarChart
          {...common}
          type="stacked"
          series={OUTCOME_SERIES}
          valueFormatter={formatNumber}
          tooltipProps={tooltip(labelOf)}
          yAxisProps={{ ...Y_AXIS, allowDecimals: false }}
          maxBarWidth={28}
          barChartProps={CHART}
        />
      </ChartFigure>
      <ChartFigure
        title={responseTimes.title}
        columns={[
          outcomes.time,
          totals.attempts,
          ...RESPONSE_TIME_SERIES.map(({ label }) => label),
        ]}
        rows={data.map((point) => [
          labelOf(point),
          formatNumber(point.attempts),
          estimateOrNone(point.p50),
          estimateOrNone(point.p95),
        ])}
        {...(isLeftOut && { note: responseTimes.minimum(range, MIN_ATTEMPTS) })}
      >
        <LineChart
          {...common}
          series={RESPONSE_TIME_SERIES}
          valueFormatter={estimateOrNone}
          tooltipProps={tooltip((point) =>
            responseTimes.attempts(labelOf(point), formatNumber(point.attempts)),
          )}
          connectNulls={false}
          curveType="linear"
          lineProps={({ name }) => (name === 'p95' ? { strokeDasharray: '6 4' } : {})}
          dotProps={{ r: 2 }}
          yAxisProps={{ ...Y_AXIS, tickFormatter: formatDuration }}
          lineChartProps={CHART}
        />
      </ChartFigure>
    </SimpleGrid>
  );
}

interface ChartFigureProps {
  title: string;
  /** The column headers. The first column is the time. */
  columns: readonly string[];
  /** The cells of each step, oldest step first. */
  rows: readonly (readonly string[])[];
  /** Explains which values the chart leaves out. */
  note?: string;
  children: ReactNode;
}

const { showTable } = words.totals;

/** A chart, and the same figures as a table for users who cannot see the chart. */
function ChartFigure({ title, columns, rows, note, children }: ChartFigureProps) {
  return (
    <figure className={classes['figure']} aria-label={title}>
      <Text component="figcaption" size="sm" fw={600} mb="sm">
        {title}
      </Text>
      <div aria-hidden className={classes['chart']}>
        {children}
      </div>
      {note !== undefined && (
        <Text size="xs" c="dimmed" mt="sm">
          {note}
        </Text>
      )}
      <details className={classes['details']}>
        <summary>{showTable}</summary>
        {/* A scrollable region must be reachable with the keyboard. */}
        <div className={classes['scroll']} tabIndex={0} role="region" aria-label={title}>
          <Table aria-label={title} fz="xs" verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                {columns.map((column) => (
                  <Table.Th key={column} scope="col">
                    {column}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.toReversed().map(([time, ...values], row) => (
                <Table.Tr key={row}>
                  <Table.Th scope="row">{time}</Table.Th>
                  {values.map((value, column) => (
                    <Table.Td key={columns[column + 1]}>{value}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </details>
    </figure>
  );
}
