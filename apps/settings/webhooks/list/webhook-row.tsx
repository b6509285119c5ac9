import type { ListedWebhook, RecentStatistics } from '#client';
import { Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useWorkspaceId } from '../../api/workspaces.js';
import { BreakableUrl } from '../../controls/breakable-url.js';
import { LinkAnchor } from '../../controls/links.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { texts } from '../../texts/index.js';
import { countEvents } from '../form/event-selection.js';
import { nameOfWebhook, shortenUrl } from '../layout/webhook-name.js';
import { StatusBadge } from '../layout/status-badge.js';
import { Sparkline } from './sparkline.js';
import { formatSuccessRate, isMostlyFailing } from './success-rate.js';
import classes from './webhook-list.module.css';

const MAX_URL_LENGTH = 46;

const { list } = texts.webhooks;

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
          {eventCount === undefined ? list.allEvents : list.events(eventCount)}
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
          {rate === undefined ? list.noAttempts : list.successRate(rate)}
        </Text>
      </Group>
      <Sparkline hours={stats.perHour} />
      <Text size="xs" c="dimmed">
        {list.last24Hours}
      </Text>
    </div>
  );
}

function LastFailure({ stats: { lastFailure } }: { stats: RecentStatistics }) {
  return (
    <div className={classes['cell']}>
      {lastFailure === null ? (
        <Text size="sm">{list.noFailure}</Text>
      ) : (
        <>
          <Text size="sm">
            {list.lastFailure} <RelativeTime time={lastFailure.at} inline />
          </Text>
          <Text size="sm" lineClamp={2} title={lastFailure.error}>
            {lastFailure.error}
          </Text>
        </>
      )}
    </div>
  );
}
