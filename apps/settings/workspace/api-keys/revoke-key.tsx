import { revokeKey, type ApiKey } from '#client';
import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { apiKeys as words } from '../../texts/api-keys.js';
import { keysKey } from './use-api-keys.js';

export function RevokeKey({ apiKey: { id: keyId, name, lastUsedAt } }: { apiKey: ApiKey }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useWorkspaceId();
  const [isAsking, question] = useDisclosure();
  const revocation = useMutation({
    mutationFn: () => revokeKey({ client, path: { id, keyId } }),
    onSuccess: async () => {
      notifications.show({ message: words.revoked(name) });
      question.close();
      await queryClient.invalidateQueries({ queryKey: keysKey(id) });
    },
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={question.open}
        aria-label={words.revokeFor(name)}
      >
        {words.revoke}
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={words.revokeQuestion(name)}
        text={
          <Stack gap="xs">
            <div>{words.revokeText}</div>
            <Text size="sm" fw={500} component="div">
              {words.lastUsed}:{' '}
              {lastUsedAt === null ? words.neverUsed : <RelativeTime time={lastUsedAt} inline />}
            </Text>
          </Stack>
        }
        action={words.revoke}
        isDangerous
        isPending={revocation.isPending}
        error={revocation.error}
        onConfirm={() => revocation.mutate()}
        onClose={() => {
          question.close();
          revocation.reset();
        }}
      />
    </>
  );
}
