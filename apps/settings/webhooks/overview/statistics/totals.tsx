import type { StatisticsTotals } from '#client';
import { Text } from '@mantine/core';
import { formatNumber } from '../../../controls/format.js';
import { webhookOverview as words } from '../../../texts/webhooks/webhook-overview.js';
import { formatSuccessRate } from '../../list/success-rate.js';
import { formatPercentiles } from './percentiles.js';
import classes from './totals.module.css';

const { totals: totalTexts } = words;

export function Totals({ totals }: { totals: StatisticsTotals }) {
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
          <dd className={classes['figure']}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
