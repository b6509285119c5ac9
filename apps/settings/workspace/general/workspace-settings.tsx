import { GalleyError, renameWorkspace, type Workspace } from '#client';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useHasRole } from '../../api/workspaces.js';
import { CopyButton } from '../../controls/code.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { ErrorAlert, QueryState, RowsSkeleton } from '../../controls/states.js';
import { validateName } from '../../controls/validation.js';
import { texts } from '../../texts.js';
import { DeleteWorkspace } from './delete-workspace.js';
import { LeaveWorkspace } from './leave-workspace.js';
import { Section } from './section.js';
import { words } from './texts.js';
import { useReadWorkspace, type ReadWorkspace } from './use-read-workspace.js';

export function WorkspaceSettings() {
  const read = useReadWorkspace();
  const isOwner = useHasRole('owner');
  return (
    <Page title={texts.navigation.workspace}>
      <QueryState query={read} skeleton={<RowsSkeleton rows={3} height={180} />}>
        {(current) => (
          <Stack gap="lg" maw={720}>
            <Section title={words.general}>
              <Stack gap="lg">
                {isOwner ? <RenameForm read={current} /> : <Facts name={current.workspace.name} />}
                <Identity workspace={current.workspace} />
              </Stack>
            </Section>
            <LeaveWorkspace workspace={current.workspace} />
            {isOwner && <DeleteWorkspace read={current} />}
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function Facts({ name }: { name: string }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {words.nameLabel}
      </Text>
      <Text>{name}</Text>
      <Text size="sm">{words.ownerOnly}</Text>
    </div>
  );
}

function Identity({ workspace: { id, role, createdAt } }: { workspace: Workspace }) {
  return (
    <>
      <div>
        <Text size="sm" fw={600}>
          {words.idLabel}
        </Text>
        <Group gap="sm" mt={4}>
          <Text ff="monospace" size="sm">
            {id}
          </Text>
          <CopyButton value={id} label={words.copyId} />
        </Group>
        <Text size="xs" mt={4}>
          {words.idHint}
        </Text>
      </div>
      <Group gap={48} align="flex-start">
        <div>
          <Text size="sm" fw={600}>
            {words.yourRole}
          </Text>
          <Text size="sm">{texts.roles[role].name}</Text>
        </div>
        <div>
          <Text size="sm" fw={600}>
            {words.created}
          </Text>
          <RelativeTime time={createdAt} />
        </div>
      </Group>
    </>
  );
}

function RenameForm({ read: { workspace, etag } }: { read: ReadWorkspace }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: workspace.name },
    validate: { name: validateName },
  });
  const renaming = useMutation({
    mutationFn: async ({ name }: { name: string }) => {
      const headers = etag === undefined ? {} : { 'If-Match': etag };
      const request = { client, path: { id: workspace.id }, headers, body: { name: name.trim() } };
      return (await renameWorkspace(request)).data;
    },
    onSuccess: ({ name }) => {
      form.setInitialValues({ name });
      form.setValues({ name });
      notifications.show({ message: words.renamed(name) });
    },
    // Refetches after a conflict too, because the next attempt needs the current ETag.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['workspaces'] }),
  });
  const isStale = renaming.error instanceof GalleyError && renaming.error.code === 'stale';
  const isUnchanged = form.getValues().name.trim() === workspace.name;
  return (
    <form onSubmit={form.onSubmit((values) => renaming.mutate(values))} noValidate>
      <Stack gap="sm">
        <TextInput
          label={words.nameLabel}
          description={words.nameHint}
          {...form.getInputProps('name')}
        />
        {isStale && (
          <Alert color="yellow" title={words.renamedMeanwhileTitle} role="alert">
            {words.renamedMeanwhile(workspace.name)}
          </Alert>
        )}
        {renaming.error && !isStale && <ErrorAlert error={renaming.error} />}
        <Group>
          <Button type="submit" loading={renaming.isPending} disabled={isUnchanged}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
