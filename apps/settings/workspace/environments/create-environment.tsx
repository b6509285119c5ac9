import { createEnvironment, GalleyError, type Environment } from '#client';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Ref } from 'react';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { environmentsKey } from '../workspace-queries.js';
import { MAX_ENVIRONMENTS, validateEnvironmentName } from './environment-name.js';
import { words } from './texts.js';

interface CreateEnvironmentProps {
  existing: readonly Environment[];
  ref: Ref<HTMLButtonElement>;
}

export function CreateEnvironment({ existing, ref }: CreateEnvironmentProps) {
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button ref={ref} leftSection={<IconPlus size={16} />} onClick={dialog.open}>
        {words.create}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={words.createTitle} centered>
        {existing.length < MAX_ENVIRONMENTS ? (
          <CreateEnvironmentForm existing={existing} onClose={dialog.close} />
        ) : (
          <Text size="sm">{words.limitReached}</Text>
        )}
      </Modal>
    </>
  );
}

interface CreateEnvironmentFormProps {
  existing: readonly Environment[];
  onClose: () => void;
}

function CreateEnvironmentForm({ existing, onClose }: CreateEnvironmentFormProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useWorkspaceId();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => validateEnvironmentName(name.trim(), existing) },
  });
  const creation = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      createEnvironment({ client, path: { id }, body: { name: name.trim() } }),
    onSuccess: ({ data: { name } }) => {
      notifications.show({ message: words.created(name) });
      onClose();
    },
    onError: (error) => {
      // In the meantime, somebody else may have taken the name or used up the limit. The error message of the API says
      // which.
      if (isAboutName(error)) form.setFieldError('name', error.message);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: environmentsKey(id) }),
  });
  return (
    <form onSubmit={form.onSubmit((values) => creation.mutate(values))} noValidate>
      <Stack gap="md">
        <TextInput
          label={words.nameLabel}
          description={words.nameHint}
          placeholder={words.namePlaceholder}
          maxLength={32}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        {creation.error && !isAboutName(creation.error) && <ErrorAlert error={creation.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={creation.isPending}>
            {words.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const isAboutName = (error: Error) =>
  error instanceof GalleyError && ['already_exists', 'limit_reached'].includes(error.code);
