import { disableWebhook, type Webhook } from '#client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { webhookSettings as words } from '../../texts/webhooks/webhook-settings.js';
import { StatusBadge } from '../layout/status-badge.js';
import { webhookKeys } from '../webhook-queries.js';
import { EnableModal } from './enable-modal.js';
import { Section } from './section.js';

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
