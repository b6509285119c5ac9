import '@mantine/charts/styles.css';
import type { StatisticsPoint } from '#client';
import { BarChart, LineChart } from '@mantine/charts';
import { SimpleGrid } from '@mantine/core';
import { formatDuration, formatNumber } from '../../../controls/format.js';
import { webhookOverview as words } from '../../../texts/webhooks/webhook-overview.js';
import { ChartFigure } from './chart-figure.js';
import classes from './charts.module.css';
import { formatEstimate, MIN_ATTEMPTS, reliablePercentiles } from './percentiles.js';
import { formatStep, formatTick, type RangeName } from './ranges.js';

interface ChartsProps {
  points: readonly StatisticsPoint[];
  range: RangeName;
}

const HEIGHT = 220;
// The charts take no keyboard focus; keyboard users have the table below each chart. The margin has room for
// half of the highest label of the vertical axis.
const CHART = { accessibilityLayer: false, margin: { top: 10, right: 5, bottom: 0, left: 10 } };
// Every label of the vertical axis is complete and shown.
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

/** The outcomes of attempts, and the response times of the receiver, over time. */
export function Charts({ points, range }: ChartsProps) {
  const data = points.map((point) => ({ ...point, ...reliablePercentiles(point) }));
  const labelOf = ({ at }: StatisticsPoint): string => formatStep(at, range);
  /** The props of a tooltip whose first line `describe` returns. A closed tooltip has no point. */
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
    // The time, not the label: the first and the last of 24 hours have the same label.
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
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" className={classes['charts'] ?? ''}>
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
