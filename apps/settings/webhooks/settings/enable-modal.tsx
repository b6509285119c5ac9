import { enableWebhook, type HeldChoice, type Webhook } from '#client';
import { Button, Group, Modal, Radio, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { webhookSettings as words } from '../../texts/webhooks/webhook-settings.js';
import { webhookKeys } from '../webhook-queries.js';

interface EnableModalProps {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

const { status: statusTexts } = words;
const CHOICES: readonly HeldChoice[] = ['send', 'discard'];

/** Enables the webhook, and asks what to do with the deliveries that were held while it was disabled. */
export function EnableModal({ webhook: { id }, opened, onClose }: EnableModalProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [held, setHeld] = useState<HeldChoice>('send');
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await enableWebhook({ client, path: { id }, body: { held } });
      await queryClient.invalidateQueries({ queryKey: webhookKeys.webhook(id) });
    },
    onSuccess: () => {
      onClose();
      notifications.show({ message: statusTexts.enabled });
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={statusTexts.enableTitle} centered>
      <Stack gap="md">
        <Radio.Group
          label={statusTexts.heldLabel}
          value={held}
          onChange={(value) => setHeld(value)}
        >
          <Stack gap="sm" mt="sm">
            {CHOICES.map((choice) => (
              <Radio
                key={choice}
                value={choice}
                label={statusTexts.held[choice]}
                description={statusTexts.heldDescription[choice]}
              />
            ))}
          </Stack>
        </Radio.Group>
        {error && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button
            {...(held === 'discard' && { color: 'red' })}
            loading={isPending}
            onClick={() => mutate()}
          >
            {held === 'discard' ? statusTexts.enableAndDiscard : statusTexts.enable}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
