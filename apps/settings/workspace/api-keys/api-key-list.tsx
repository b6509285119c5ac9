import { revokeKey, type ApiKey } from '#client';
import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { ConfirmModal } from '../../controls/confirm-modal.js';
import { Page } from '../../controls/page.js';
import { RelativeTime } from '../../controls/relative-time.js';
import { AdminOnly, EmptyState, QueryState, RowsSkeleton } from '../../controls/states.js';
import { ListTable, LoadMore, type Column } from '../../lists/list-table.js';
import { texts } from '../../texts.js';
import { keysKey, useApiKeys } from '../workspace-queries.js';
import { CreateKeyModal } from './create-key.js';
import { expiryState } from './expiry.js';
import { words } from './texts.js';

export function ApiKeyList() {
  const isAdmin = useHasRole('admin');
  const [isCreating, creation] = useDisclosure();
  const keys = useApiKeys();
  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
      {words.create}
    </Button>
  );
  return (
    <Page title={texts.navigation.apiKeys} actions={isAdmin && !!keys.data?.length && createButton}>
      <AdminOnly>
        <QueryState query={keys} skeleton={<RowsSkeleton rows={5} height={62} />}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title={words.emptyTitle} text={words.emptyText}>
                {createButton}
              </EmptyState>
            ) : (
              <>
                <Text size="sm" mb="md">
                  {words.intro}
                </Text>
                <ListTable
                  label={words.listLabel}
                  columns={COLUMNS}
                  rows={rows}
                  rowKey={(key) => key.id}
                />
              </>
            )
          }
        </QueryState>
      </AdminOnly>
      <LoadMore list={keys} />
      <CreateKeyModal opened={isCreating} onClose={creation.close} />
    </Page>
  );
}

const { columns } = words;
const COLUMNS: Column<ApiKey>[] = [
  {
    header: columns.name,
    cell: ({ name, prefix }) => (
      <Stack gap={2} align="flex-start">
        <Text fw={600} size="sm">
          {name}
        </Text>
        <Code>{prefix}…</Code>
      </Stack>
    ),
  },
  {
    header: columns.access,
    cell: ({ role, environment }) =>
      environment === null ? texts.roles[role].name : words.readsOnly(environment),
    width: 180,
  },
  {
    header: columns.lastUsed,
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? words.neverUsed : <RelativeTime time={lastUsedAt} />,
    width: 160,
  },
  { header: columns.expires, cell: (key) => <Expiry expiresAt={key.expiresAt} />, width: 170 },
  {
    header: columns.created,
    cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
    width: 150,
  },
  {
    header: columns.actions,
    isHeaderHidden: true,
    cell: (key) => <RevokeKey apiKey={key} />,
    width: 100,
  },
];

function Expiry({ expiresAt }: { expiresAt: string | null }) {
  if (expiresAt === null) return words.neverExpires;
  const state = expiryState(expiresAt, new Date());
  return (
    <Group gap={8}>
      <RelativeTime time={expiresAt} />
      {state === 'soon' && (
        <Badge color="yellow" variant="dot" tt="none" fw={500}>
          {words.expiresSoon}
        </Badge>
      )}
      {state === 'expired' && (
        <Badge color="red" variant="dot" tt="none" fw={500}>
          {words.expired}
        </Badge>
      )}
    </Group>
  );
}

function RevokeKey({ apiKey: { id: keyId, name, lastUsedAt } }: { apiKey: ApiKey }) {
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
