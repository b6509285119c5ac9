import { getWebhookStats, type StatisticsTotals } from '#client';
import { Group, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useClient } from '../../api/client.js';
import { formatNumber } from '../../controls/format.js';
import { QueryState } from '../../controls/states.js';
import { formatSuccessRate } from '../webhook-format.js';
import { useWebhookId, webhookKeys } from '../webhook-queries.js';
import classes from './overview.module.css';
import { formatPercentiles } from './percentiles.js';
import { DEFAULT_RANGE, RANGE_NAMES, RANGES, type RangeName } from './ranges.js';
import { words } from './texts.js';

// Loaded on demand, because Recharts is large and the rest of the page does not need it.
const Charts = lazy(async () => ({ default: (await import('./charts.js')).Charts }));

const REFRESH_MS = 15_000;
// As tall as the two charts, to avoid a layout shift when they load.
const CHARTS_HEIGHT = 380;

const { statistics } = words;
const overviewApi = getRouteApi('/w/$workspaceId/webhooks/$webhookId/');

export function StatisticsSection() {
  const { range = DEFAULT_RANGE } = overviewApi.useSearch();
  const navigate = useNavigate();
  const query = useStatistics(range);
  const skeleton = <Skeleton h={CHARTS_HEIGHT} />;
  return (
    <Paper component="section" withBorder p="lg" aria-label={statistics.title}>
      <Group justify="space-between" mb="md">
        <Title order={2} size="h5">
          {statistics.title}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={statistics.range}
          data={RANGE_NAMES.map((name) => ({ value: name, label: statistics.ranges[name] }))}
          value={range}
          onChange={(name) =>
            void navigate({
              to: '.',
              search: name === DEFAULT_RANGE ? {} : { range: name },
              replace: true,
              resetScroll: false,
            })
          }
        />
      </Group>
      <QueryState query={query} skeleton={<Skeleton h={CHARTS_HEIGHT + 80} />}>
        {(data) => (
          <Stack gap="lg">
            <Totals totals={data.totals} />
            <Suspense fallback={skeleton}>
              <Charts points={data.data} range={range} />
            </Suspense>
          </Stack>
        )}
      </QueryState>
    </Paper>
  );
}

function useStatistics(range: RangeName) {
  const client = useClient();
  const webhookId = useWebhookId();
  return useQuery({
    queryKey: webhookKeys.statistics(webhookId, range),
    queryFn: async ({ signal }) => {
      const { durationMs, step } = RANGES[range];
      const from = new Date(Date.now() - durationMs).toISOString();
      const query = { from, step };
      return (await getWebhookStats({ client, path: { id: webhookId }, query, signal })).data;
    },
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}

const { totals: totalTexts } = words;

function Totals({ totals }: { totals: StatisticsTotals }) {
  const { attempts, delivered, retried, failed } = totals;
  const figures = [
    [totalTexts.successRate, formatSuccessRate(totals) ?? totalTexts.none],
    [totalTexts.attempts, formatNumber(attempts)],
    [totalTexts.delivered, formatNumber(delivered)],
    [totalTexts.retried, formatNumber(retried)],
    [totalTexts.failed, formatNumber(failed)],
    [totalTexts.responseTime, formatPercentiles(totals)],
  ] as const;
  return (
    <dl className={classes['totals']}>
      {figures.map(([label, value]) => (
        <div key={label} className={classes['item']}>
          <Text component="dt" size="xs">
            {label}
          </Text>
          <dd className={classes['number']}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
