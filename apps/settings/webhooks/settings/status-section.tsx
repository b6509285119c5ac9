import { disableWebhook, enableWebhook, type HeldChoice, type Webhook } from '#client';
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { StatusBadge } from '../parts.js';
import { webhookKeys } from '../webhook-queries.js';
import { Section } from './section.js';
import { words } from './texts.js';

const { status: statusTexts } = words;

export function StatusSection({ webhook }: { webhook: Webhook }) {
  const [isEnabling, enable] = useDisclosure();
  const [isDisabling, disable] = useDisclosure();
  const disabling = useDisable(webhook, disable.close);
  const isDisabled = webhook.status === 'disabled';
  return (
    <Section title={statusTexts.title}>
      <Stack gap="sm">
        <Group gap="xs">
          <StatusBadge status={webhook.status} />
          <Text size="sm">
            {statusTexts.changed} <RelativeTime time={webhook.statusSince} inline />
          </Text>
        </Group>
        {webhook.statusReason !== null && <Text size="sm">{webhook.statusReason}</Text>}
        <Text size="sm">{isDisabled ? statusTexts.enableText : statusTexts.disableText}</Text>
        {isDisabled ? (
          <Button w="fit-content" onClick={enable.open}>
            {statusTexts.enable}
          </Button>
        ) : (
          <Button variant="default" w="fit-content" onClick={disable.open}>
            {statusTexts.disable}
          </Button>
        )}
      </Stack>
      <EnableModal webhook={webhook} opened={isEnabling} onClose={enable.close} />
      <ConfirmModal
        opened={isDisabling}
        title={statusTexts.disableTitle}
        text={statusTexts.disableText}
        action={statusTexts.disable}
        isPending={disabling.isPending}
        error={disabling.error}
        onConfirm={() => disabling.mutate()}
        onClose={disable.close}
      />
    </Section>
  );
}

function useDisable({ id }: Webhook, onDone: () => void) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await disableWebhook({ client, path: { id } });
      await queryClient.invalidateQueries({ queryKey: webhookKeys.webhook(id) });
    },
    onSuccess: () => {
      onDone();
      notifications.show({ message: statusTexts.disabled });
    },
  });
}

interface EnableModalProps {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

const CHOICES: readonly HeldChoice[] = ['send', 'discard'];

/** Enables the webhook, and asks what to do with the deliveries that were held while it was disabled. */
function EnableModal({ webhook: { id }, opened, onClose }: EnableModalProps) {
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
