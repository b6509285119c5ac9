import { deleteWebhook, type Webhook } from '#client';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { webhookKeys } from '../webhook-queries.js';
import { Section } from './section.js';
import { words } from './texts.js';

const { deletion } = words;

export function DeleteSection({ webhook }: { webhook: Webhook }) {
  const [isOpen, modal] = useDisclosure();
  return (
    <Section title={deletion.title} text={deletion.text}>
      <Button color="red" variant="outline" onClick={modal.open}>
        {deletion.action}
      </Button>
      <Modal opened={isOpen} onClose={modal.close} title={deletion.confirmTitle} centered>
        <ConfirmDeletion webhook={webhook} onClose={modal.close} />
      </Modal>
    </Section>
  );
}

/** The user must type the host name, because webhooks are easily confused with each other. */
function ConfirmDeletion({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const host = new URL(webhook.url).host;
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error } = useDelete(webhook);
  const isConfirmed = typed.trim().toLowerCase() === host;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed && !isPending) mutate();
      }}
    >
      <Stack gap="md">
        <Text size="sm">{deletion.text}</Text>
        <TextInput
          label={deletion.typeHost(host)}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {error && <ErrorAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" color="red" disabled={!isConfirmed} loading={isPending}>
            {deletion.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useDelete({ id, workspaceId }: Webhook) {
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => deleteWebhook({ client, path: { id } }),
    onSuccess: async () => {
      notifications.show({ message: deletion.done });
      await queryClient.invalidateQueries({ queryKey: webhookKeys.list(workspaceId) });
      await navigate({ to: '/w/$workspaceId/webhooks', params: { workspaceId } });
      queryClient.removeQueries({ queryKey: webhookKeys.webhook(id) });
    },
  });
}
