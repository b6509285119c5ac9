import { rotateWebhookSecret } from '#client';
import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../../api/client.js';
import { ErrorAlert } from '../../../controls/states.js';
import { texts } from '../../../texts/index.js';
import { webhookSettings as words } from '../../../texts/webhooks/webhook-settings.js';
import { useRememberSecret } from '../../secret/use-secret.js';
import { useWebhookId, webhookKeys } from '../../webhook-queries.js';
import { MAX_OVERLAP_HOURS } from './overlaps.js';

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
