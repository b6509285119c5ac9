import { createKey, type CreatedApiKey, type KeyRole } from '#client';
import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { DraftNotice, useDraft } from '../../controls/draft.js';
import { ErrorAlert } from '../../controls/states.js';
import { validateName } from '../../controls/validation.js';
import { texts } from '../../texts.js';
import { RoleChoice } from '../role-choice.js';
import { keysKey, useEnvironments } from '../workspace-queries.js';
import { CreatedKey } from './created-key.js';
import { expiresAtOf, EXPIRIES, isFutureDate, type Expiry } from './expiry.js';
import { words } from './texts.js';

interface CreateKeyModalProps {
  opened: boolean;
  onClose: () => void;
}

export function CreateKeyModal({ opened, onClose }: CreateKeyModalProps) {
  const [created, setCreated] = useState<CreatedApiKey>();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={created ? words.createdTitle(created.name) : words.createTitle}
      centered
      size="lg"
      // The key is shown only once, so a stray click or key press must not close the dialog.
      closeOnClickOutside={created === undefined}
      closeOnEscape={created === undefined}
      withCloseButton={created === undefined}
      onExitTransitionEnd={() => setCreated(undefined)}
    >
      {created ? (
        <CreatedKey created={created} onClose={onClose} />
      ) : (
        <CreateKeyForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Modal>
  );
}

const KEY_ROLES: readonly KeyRole[] = ['viewer', 'editor', 'admin'];

interface CreateKeyFormProps {
  onCreated: (key: CreatedApiKey) => void;
  onCancel: () => void;
}

function CreateKeyForm({ onCreated, onCancel }: CreateKeyFormProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = useWorkspaceId();
  const form = useForm({
    initialValues: {
      name: '',
      environment: '',
      role: 'viewer' as KeyRole,
      expiry: '90' as Expiry,
      date: '',
    },
    validate: {
      name: validateName,
      date: (date, { expiry }) =>
        expiry === 'date' && !isFutureDate(date, new Date()) ? words.dateInvalid : null,
    },
  });
  const draft = useDraft(`api-key:${id}`, form);
  const creation = useMutation({
    mutationFn: async ({ name, environment, role, expiry, date }: typeof form.values) => {
      const expiresAt = expiresAtOf(expiry, date, new Date());
      // The API accepts only the role `viewer` for a key that is limited to an environment.
      const access = environment === '' ? { role } : { role: 'viewer' as const, environment };
      const body = { name: name.trim(), ...access, expiresAt };
      return (await createKey({ client, path: { id }, body })).data;
    },
    // The response contains the key, so it must not stay in the cache.
    gcTime: 0,
    onSuccess: async (key) => {
      draft.forget();
      onCreated(key);
      await queryClient.invalidateQueries({ queryKey: keysKey(id) });
    },
  });
  const { data: environments = [] } = useEnvironments();
  const { environment, expiry, role } = form.getValues();
  return (
    <form onSubmit={form.onSubmit((values) => creation.mutate(values))} noValidate>
      <DraftNotice draft={draft} />
      <Stack gap="md">
        <TextInput
          label={words.nameLabel}
          description={words.nameHint}
          placeholder={words.namePlaceholder}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <NativeSelect
          label={words.accessLabel}
          description={words.accessHint}
          data={[
            { value: '', label: words.accessOfRole },
            ...environments.map((each) => ({
              value: each.name,
              label: words.accessOfEnvironment(each.name),
            })),
          ]}
          {...form.getInputProps('environment')}
        />
        {environment === '' && (
          <RoleChoice
            roles={KEY_ROLES}
            value={role}
            onChange={(value) => form.setFieldValue('role', value)}
          />
        )}
        <Group align="flex-start" grow>
          <NativeSelect
            label={words.expiryLabel}
            description={words.expiryHint}
            data={EXPIRIES.map((value) => ({ value, label: words.expiries[value] }))}
            {...form.getInputProps('expiry')}
          />
          {expiry === 'date' && (
            <TextInput
              type="date"
              label={words.dateLabel}
              required
              {...form.getInputProps('date')}
            />
          )}
        </Group>
        {creation.error && <ErrorAlert error={creation.error} />}
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              draft.forget();
              onCancel();
            }}
          >
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
