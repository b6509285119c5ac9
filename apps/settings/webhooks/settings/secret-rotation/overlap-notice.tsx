import { listAuditEntries } from '#client';
import { Alert, List, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../api/client.js';
import { useWorkspaceId } from '../../../api/workspaces.js';
import { formatExact } from '../../../controls/format.js';
import { useNow } from '../../../controls/relative-time.js';
import { readMatchingPage } from '../../../lists/cursor-list.js';
import { webhookSettings as words } from '../../../texts/webhooks/webhook-settings.js';
import { useWebhookId, webhookKeys } from '../../webhook-queries.js';
import { formatCountdown } from './countdown.js';
import classes from './overlap-notice.module.css';
import { findOverlapEnds, firstRotationTime } from './overlaps.js';

const TICK_MS = 10_000;

const { rotation } = words;

/** Counts down until earlier secrets stop signing. */
export function OverlapNotice() {
  const { data: rotations } = useRotations();
  const now = new Date(useNow(TICK_MS));
  const ends = findOverlapEnds(rotations ?? [], now);
  if (ends.length === 0) return null;
  return (
    <Alert
      variant="outline"
      color="yellow"
      icon={<IconClock />}
      title={rotation.overlapTitle}
      classNames={{ title: classes['title'] ?? '' }}
    >
      <List size="sm">
        {ends.map((end) => (
          <List.Item key={end.getTime()}>
            {rotation.signsFor(formatCountdown(end.getTime() - now.getTime()), formatExact(end))}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        {rotation.overlapText}
      </Text>
    </Alert>
  );
}

// The API shows the overlaps only in the audit log.
function useRotations() {
  const client = useClient();
  const id = useWorkspaceId();
  const webhookId = useWebhookId();
  return useQuery({
    queryKey: webhookKeys.rotations(webhookId),
    queryFn: async ({ signal }) => {
      const since = firstRotationTime(new Date()).toISOString();
      const filter = { action: 'secret.rotated', targetId: webhookId, since, limit: 100 } as const;
      const { data } = await readMatchingPage(async (cursor) => {
        const query = { ...filter, ...(cursor !== undefined && { cursor }) };
        return (await listAuditEntries({ client, path: { id }, query, signal })).data;
      });
      return data;
    },
  });
}
