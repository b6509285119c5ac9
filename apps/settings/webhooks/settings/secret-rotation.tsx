import { listAuditEntries, rotateWebhookSecret } from '#client';
import { Alert, Button, Group, List, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconClock } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { formatExact } from '../../controls/format.js';
import { useNow } from '../../controls/relative-time.js';
import { ErrorAlert } from '../../controls/states.js';
import { readMatchingPage } from '../../lists/cursor-list.js';
import { texts } from '../../texts.js';
import classes from '../parts.module.css';
import { useRememberSecret, useWebhookId, webhookKeys } from '../webhook-queries.js';
import {
  findOverlapEnds,
  firstRotationTime,
  formatCountdown,
  MAX_OVERLAP_HOURS,
} from './overlaps.js';
import { words } from './texts.js';

const DEFAULT_OVERLAP_HOURS = 24;

const { rotation } = words;

export function RotateModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [overlapHours, setOverlapHours] = useState<string | number>(DEFAULT_OVERLAP_HOURS);
  const { mutate, isPending, error } = useRotate(onClose);
  const isValid = Number.isInteger(overlapHours);
  return (
    <Modal opened={opened} onClose={onClose} title={rotation.title} centered>
      <Stack gap="md">
        <Text size="sm">{rotation.text}</Text>
        <NumberInput
          label={rotation.overlapHours}
          description={rotation.overlapHoursDescription}
          value={overlapHours}
          onChange={setOverlapHours}
          min={0}
          max={MAX_OVERLAP_HOURS}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
        />
        {overlapHours === 0 && <Text size="sm">{rotation.noOverlap}</Text>}
        {error && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button
            loading={isPending}
            disabled={!isValid}
            onClick={() => mutate(Number(overlapHours))}
          >
            {rotation.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function useRotate(onClose: () => void) {
  const client = useClient();
  const webhookId = useWebhookId();
  const queryClient = useQueryClient();
  const rememberSecret = useRememberSecret();
  return useMutation({
    mutationFn: async (overlapHours: number) =>
      (await rotateWebhookSecret({ client, path: { id: webhookId }, body: { overlapHours } })).data,
    onSuccess: async ({ secret }) => {
      rememberSecret(webhookId, secret);
      onClose();
      notifications.show({ message: rotation.done });
      await queryClient.invalidateQueries({ queryKey: webhookKeys.webhook(webhookId) });
    },
  });
}

const TICK_MS = 10_000;

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
      classNames={{ title: classes['noticeTitle'] ?? '' }}
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
