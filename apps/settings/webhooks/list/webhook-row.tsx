import type { ListedWebhook, RecentHour, RecentStatistics } from '#client';
import { Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useWorkspaceId } from '../../api/workspaces.js';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { countEvents } from '../form/event-selection.js';
import { BreakableUrl, StatusBadge } from '../parts.js';
import colours from '../parts.module.css';
import {
  formatSuccessRate,
  isMostlyFailing,
  nameOfWebhook,
  shortenUrl,
} from '../webhook-format.js';
import { layOutBars, SPARKLINE_HEIGHT } from './sparkline-bars.js';
import { words } from './texts.js';
import classes from './webhook-list.module.css';

const MAX_URL_LENGTH = 46;

export function WebhookRow({ webhook }: { webhook: ListedWebhook }) {
  const workspaceId = useWorkspaceId();
  const { id, url, description, status, events, stats } = webhook;
  const eventCount = countEvents(events);
  return (
    <li className={classes['row']}>
      <div className={classes['cell']}>
        <Group gap="xs" wrap="wrap">
          <LinkAnchor
            to="/w/$workspaceId/webhooks/$webhookId"
            params={{ workspaceId, webhookId: id }}
            fw={600}
            c="var(--mantine-color-text)"
            className={classes['link'] ?? ''}
          >
            <BreakableUrl>{nameOfWebhook(webhook)}</BreakableUrl>
          </LinkAnchor>
          <StatusBadge status={status} />
        </Group>
        {description.trim() !== '' && (
          <Text size="sm" mt={2} title={url}>
            <BreakableUrl>{shortenUrl(url, MAX_URL_LENGTH)}</BreakableUrl>
          </Text>
        )}
        <Text size="sm" c="dimmed" mt={2}>
          {eventCount === undefined ? words.allEvents : words.events(eventCount)}
        </Text>
      </div>
      {stats && (
        <>
          <Rate stats={stats} />
          <LastFailure stats={stats} />
        </>
      )}
    </li>
  );
}

function Rate({ stats }: { stats: RecentStatistics }) {
  const rate = formatSuccessRate(stats);
  const isBad = isMostlyFailing(stats);
  return (
    <div className={classes['cell']}>
      <Group gap={4} mb={4} c={isBad ? 'var(--mantine-color-error)' : undefined}>
        {isBad && <IconAlertTriangle size={16} aria-hidden />}
        <Text size="sm" className={classes['rate'] ?? ''}>
          {rate === undefined ? words.noAttempts : words.successRate(rate)}
        </Text>
      </Group>
      <Sparkline hours={stats.perHour} />
      <Text size="xs" c="dimmed">
        {words.last24Hours}
      </Text>
    </div>
  );
}

function LastFailure({ stats: { lastFailure } }: { stats: RecentStatistics }) {
  return (
    <div className={classes['cell']}>
      {lastFailure === null ? (
        <Text size="sm">{words.noFailure}</Text>
      ) : (
        <>
          <Text size="sm">
            {words.lastFailure} <RelativeTime time={lastFailure.at} inline />
          </Text>
          <Text size="sm" lineClamp={2} title={lastFailure.error}>
            {lastFailure.error}
          </Text>
        </>
      )}
    </div>
  );
}

const BAR_WIDTH = 5;
const BAR_STEP = 7;

const hourFormat = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit' });

/**
 * One bar for each hour. Successes are above the axis and failures are below it, so that users who cannot tell the
 * colours apart still see the difference.
 */
function Sparkline({ hours }: { hours: readonly RecentHour[] }) {
  const { bars, axis } = layOutBars(hours);
  const width = hours.length * BAR_STEP;
  const failedHours = hours.filter(({ failed, retried }) => failed + retried > 0).length;
  return (
    <svg
      viewBox={`0 0 ${width} ${SPARKLINE_HEIGHT}`}
      width={width}
      height={SPARKLINE_HEIGHT}
      role="img"
      aria-label={words.sparkline(failedHours)}
      className={`${colours['charts'] ?? ''} ${classes['sparkline'] ?? ''}`}
    >
      <line x1={0} x2={width} y1={axis} y2={axis} className={classes['axis']} />
      {bars.map(({ delivered, retried, failed }, index) => {
        const hour = hours[index];
        const x = index * BAR_STEP;
        const below = axis + 1;
        return (
          hour && (
            <g key={hour.at}>
              <title>{words.hour(hourFormat.format(new Date(hour.at)), hour)}</title>
              <rect x={x} y={0} width={BAR_STEP} height={SPARKLINE_HEIGHT} fill="transparent" />
              <Part name="delivered" x={x} y={axis - 1 - delivered} height={delivered} />
              <Part name="retried" x={x} y={below} height={retried} />
              <Part name="failed" x={x} y={below + retried} height={failed} />
            </g>
          )
        );
      })}
    </svg>
  );
}

interface PartProps {
  name: 'delivered' | 'retried' | 'failed';
  x: number;
  y: number;
  height: number;
}

const Part = ({ name, ...place }: PartProps) => (
  <rect {...place} width={BAR_WIDTH} className={classes[name]} />
);
