import type { FinishedStatus } from '#client';
import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { toLocalInput } from '../../controls/format.js';
import { ErrorAlert } from '../../controls/states.js';
import { useWebhook } from '../../webhooks/webhook-queries.js';
import {
  finishedStatuses,
  replayKinds,
  toStartReplay,
  validateReplayForm,
  type ReplayFormValues,
} from './replay-form-values.js';
import { useReplayActions } from './replay-queries.js';
import { words } from './texts.js';

const DAY_MS = 86_400_000;

const createInitialValues = (): ReplayFormValues => ({
  since: toLocalInput(new Date(Date.now() - DAY_MS).toISOString()),
  until: '',
  events: [],
  status: ['failed'],
  resourceId: '',
});

/** First counts the matching deliveries. A button then shows the count and starts the replay. */
export function ReplayForm({ isReplayRunning }: { isReplayRunning: boolean }) {
  const { count, start } = useReplayActions();
  const isDisabled = useWebhook().data?.webhook.status === 'disabled';
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: createInitialValues(),
    validate: validateReplayForm,
    onValuesChange: () => {
      count.reset();
      start.reset();
    },
  });
  const submit = form.onSubmit((values) => count.mutate(toStartReplay(values)));
  const startCounted = () => {
    if (count.variables === undefined) return;
    start.mutate(count.variables, {
      onSuccess: () => {
        count.reset();
        notifications.show({ message: words.started });
      },
    });
  };
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate>
      <Title order={2} size="h4">
        {words.formTitle}
      </Title>
      <Text size="sm" mt={4} mb="md" maw={680}>
        {words.formText}
      </Text>
      <Stack gap="md">
        <ReplayFields form={form} />
        {isDisabled && <Text size="sm">{words.disabled}</Text>}
        <Group gap="md">
          <Button
            type="submit"
            variant={count.data ? 'default' : 'filled'}
            loading={count.isPending}
          >
            {words.count}
          </Button>
          <Text size="sm" fw={600} aria-live="polite">
            {count.data !== undefined && words.counted(count.data)}
          </Text>
          {!!count.data && !isReplayRunning && (
            <Button loading={start.isPending} onClick={startCounted}>
              {words.start(count.data)}
            </Button>
          )}
        </Group>
        {!!count.data && isReplayRunning && <Text size="sm">{words.oneAtATime}</Text>}
        {count.error && <ErrorAlert error={count.error} />}
        {start.error && <ErrorAlert error={start.error} />}
      </Stack>
    </Paper>
  );
}

type ReplayFormReturn = UseFormReturnType<
  ReplayFormValues,
  ReplayFormValues,
  typeof validateReplayForm
>;

function ReplayFields({ form }: { form: ReplayFormReturn }) {
  const statusProps = form.getInputProps('status') as {
    defaultValue: FinishedStatus[];
    error?: string;
    onChange: (value: string[]) => void;
  };
  const eventProps = form.getInputProps('events') as { defaultValue: string[] };
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} maw={680}>
        <TextInput
          type="datetime-local"
          label={words.since}
          required
          key={form.key('since')}
          {...form.getInputProps('since')}
        />
        <TextInput
          type="datetime-local"
          label={words.until}
          key={form.key('until')}
          {...form.getInputProps('until')}
        />
      </SimpleGrid>
      <Checkbox.Group label={words.statuses} key={form.key('status')} {...statusProps}>
        <Group gap="lg" mt={6}>
          {finishedStatuses.map((status) => (
            <Checkbox key={status} value={status} label={words.status[status]} />
          ))}
        </Group>
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} maw={680}>
        <MultiSelect
          label={words.events}
          placeholder={words.allEvents}
          data={replayKinds}
          clearable
          key={form.key('events')}
          {...eventProps}
        />
        <TextInput
          label={words.resource}
          placeholder={words.allResources}
          key={form.key('resourceId')}
          {...form.getInputProps('resourceId')}
        />
      </SimpleGrid>
    </>
  );
}
