import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { ErrorAlert, QueryState, RowsSkeleton } from '../../controls/states.js';
import { usages as words } from '../../texts/library/usages.js';
import { useDocument } from '../kinds/use-document.js';
import { VersionSelect } from '../versions/version-select.js';
import { UpdateTable } from './update-table.js';
import { useUpdateActions, useUsageUpdates } from './usage-queries.js';

/** Pins templates to another version. First counts the templates that pin a different one, then starts the update. */
export function UpdateUsages() {
  const updates = useUsageUpdates();
  const latest = useDocument().data?.document.version ?? 1;
  const [chosen, setChosen] = useState<number>();
  const countButton = useRef<HTMLButtonElement>(null);
  const { count, start } = useUpdateActions();
  const toVersion = chosen ?? latest;
  const isRunning = updates.data?.some(({ status }) => status === 'running') ?? false;
  const countOf = count.variables === toVersion ? count.data : undefined;
  const startCounted = () =>
    start.mutate(toVersion, {
      onSuccess: () => {
        // The button that starts the update disappears, and would take the keyboard focus with it.
        countButton.current?.focus();
        count.reset();
        notifications.show({ message: words.started });
      },
    });
  return (
    <Stack gap="xl">
      <Paper withBorder p="lg" component="section">
        <Title order={2} size="h4">
          {words.updateTitle}
        </Title>
        <Text size="sm" mt={4} mb="md" maw={680}>
          {words.updateText}
        </Text>
        <Stack gap="md">
          <Group gap="md" align="flex-end">
            <VersionSelect
              label={words.toVersion}
              latestVersion={latest}
              value={toVersion}
              onChange={setChosen}
            />
            <Button
              ref={countButton}
              variant={countOf ? 'default' : 'filled'}
              loading={count.isPending}
              onClick={() => count.mutate(toVersion)}
            >
              {words.count}
            </Button>
            {!!countOf && !isRunning && (
              <Button loading={start.isPending} onClick={startCounted}>
                {words.start(toVersion)}
              </Button>
            )}
          </Group>
          <Text size="sm" fw={600} aria-live="polite">
            {countOf !== undefined && words.counted(countOf, toVersion)}
          </Text>
          {!!countOf && isRunning && <Text size="sm">{words.oneAtATime}</Text>}
          {count.error && <ErrorAlert error={count.error} />}
          {start.error && <ErrorAlert error={start.error} />}
        </Stack>
      </Paper>
      <section>
        <Title order={2} size="h4" mb="sm">
          {words.updates}
        </Title>
        <QueryState query={updates} skeleton={<RowsSkeleton rows={1} />}>
          {(rows) => <UpdateTable updates={rows} />}
        </QueryState>
      </section>
    </Stack>
  );
}
