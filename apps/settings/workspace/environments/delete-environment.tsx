import { deleteEnvironment, GalleyError } from '#client';
import { Alert, Button, Checkbox, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { environmentsKey, useApiKeys } from '../workspace-queries.js';
import { words } from './texts.js';

interface DeleteEnvironmentProps {
  name: string;
  onDeleted: () => void;
}

/**
 * Deletes an environment. If something is published or scheduled in it, the first attempt fails, and the user decides
 * whether to unpublish everything.
 */
export function DeleteEnvironment({ name, onDeleted }: DeleteEnvironmentProps) {
  const [isAsking, question] = useDisclosure();
  const [isForced, setForced] = useState(false);
  const deletion = useDeletion(name, onDeleted);
  const { error } = deletion;
  const code = error instanceof GalleyError ? error.code : undefined;
  const isInUse = code === 'in_use';
  const isGone = code === 'not_found';
  const close = () => {
    question.close();
    setForced(false);
    deletion.reset();
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={words.deleteFor(name)}
        onClick={question.open}
      >
        {words.delete}
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={words.deleteQuestion(name)}
        text={
          <Stack gap="md">
            {words.deleteText}
            <LimitedKeys environment={name} />
            {isInUse && (
              <>
                <Alert color="yellow" title={words.inUseTitle} role="alert">
                  {words.inUseText}
                </Alert>
                <Checkbox
                  label={words.force}
                  description={words.forceHint}
                  checked={isForced}
                  onChange={({ currentTarget }) => setForced(currentTarget.checked)}
                />
              </>
            )}
          </Stack>
        }
        action={words.delete}
        isDangerous
        isDisabled={isInUse && !isForced}
        isPending={deletion.isPending}
        error={isGone ? new Error(words.alreadyDeleted) : isInUse ? null : error}
        onConfirm={() => deletion.mutate({ force: isInUse && isForced })}
        onClose={close}
      />
    </>
  );
}

function LimitedKeys({ environment }: { environment: string }) {
  const { data: keys = [] } = useApiKeys();
  const limited = keys.filter((key) => key.environment === environment);
  if (limited.length === 0) return null;
  return (
    <div>
      <Text size="sm">{words.limitedKeys}</Text>
      <List size="sm">
        {limited.map(({ id, name }) => (
          <List.Item key={id}>{name}</List.Item>
        ))}
      </List>
    </div>
  );
}

function useDeletion(environment: string, onDeleted: () => void) {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useWorkspaceId();
  const refresh = () => queryClient.invalidateQueries({ queryKey: environmentsKey(id) });
  return useMutation({
    mutationFn: ({ force }: { force: boolean }) => {
      const path = { id, environment };
      return deleteEnvironment({ client, path, ...(force && { query: { force } }) });
    },
    onSuccess: async () => {
      notifications.show({ message: words.deleted(environment) });
      await refresh();
      onDeleted();
    },
    onError: refresh,
  });
}
