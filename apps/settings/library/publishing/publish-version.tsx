import {
  Button,
  Group,
  Modal,
  NativeSelect,
  Radio,
  Stack,
  Text,
  Textarea,
  TextInput,
  type ButtonProps,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { Ref } from 'react';
import { useHasRole } from '../../api/workspaces.js';
import { DraftNotice, useDraft } from '../../controls/draft.js';
import { formatExact } from '../../controls/format.js';
import { ErrorAlert } from '../../controls/states.js';
import { fieldErrorsOf } from '../../controls/validation.js';
import { texts } from '../../texts.js';
import { useDocumentId } from '../kinds.js';
import { useDocument } from '../use-document.js';
import { VersionSelect } from '../version-parts.js';
import { usePublished, usePublishingActions, type PublishedState } from './publication-queries.js';
import { toPublish, validatePublishValues, type PublishValues } from './publish-values.js';
import { words } from './texts.js';

interface PublishVersionProps extends ButtonProps {
  /** The preselected version; the latest one by default. */
  version?: number;
  /** The preselected environment; by default the first one, which is `production`. */
  environment?: string;
  children: string;
  'aria-label'?: string;
  ref?: Ref<HTMLButtonElement>;
}

/** Opens the form for publishing a version. Only editors see this button. */
export function PublishVersion({ version, environment, ...props }: PublishVersionProps) {
  const isEditor = useHasRole('editor');
  const [isOpen, dialog] = useDisclosure();
  const { data: states } = usePublished();
  const latestVersion = useDocument().data?.document.version;
  const [first] = states ?? [];
  if (!isEditor || first === undefined || latestVersion === undefined) return null;
  return (
    <>
      <Button {...props} onClick={dialog.open} />
      <Modal opened={isOpen} onClose={dialog.close} title={words.publishTitle} centered>
        <PublishForm
          version={version ?? latestVersion}
          environment={environment ?? first.environment}
          latestVersion={latestVersion}
          states={states ?? []}
          onClose={dialog.close}
        />
      </Modal>
    </>
  );
}

const MAX_NOTE_LENGTH = 2_000;

interface PublishFormProps {
  /** The preselected version and environment. */
  version: number;
  environment: string;
  latestVersion: number;
  states: readonly PublishedState[];
  onClose: () => void;
}

function PublishForm(props: PublishFormProps) {
  const { version, environment, latestVersion, states, onClose } = props;
  const id = useDocumentId();
  const { publish, refresh } = usePublishingActions();
  const form = useForm({
    initialValues: {
      version,
      environment,
      when: 'now' as PublishValues['when'],
      time: '',
      note: '',
    },
    validate: (values) => validatePublishValues(values),
  });
  const draft = useDraft(`publish:${id}:${environment}:${version}`, form);
  const values = form.getValues();
  const isLater = values.when === 'later';
  const current = states.find((state) => state.environment === values.environment)?.published;
  const isPublished = !isLater && current?.version === values.version;
  const close = () => {
    draft.forget();
    if (publish.isError) void refresh();
    onClose();
  };
  const submit = form.onSubmit((submitted) =>
    publish.mutate(toPublish(submitted), {
      onSuccess: (publication) => {
        notifications.show({ message: describe(submitted, publication) });
        close();
      },
      onError: (error) => form.setErrors(timeErrorOf(error)),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <NativeSelect
          label={words.environment}
          data={states.map((state) => state.environment)}
          data-autofocus
          {...form.getInputProps('environment')}
        />
        <VersionSelect
          label={words.version}
          latestVersion={latestVersion}
          value={values.version}
          onChange={(chosen) => form.setFieldValue('version', chosen)}
        />
        <Text size="sm" aria-live="polite">
          {explain(values, current?.version, isPublished)}
        </Text>
        <Radio.Group label={words.when} {...form.getInputProps('when')}>
          <Group gap="lg" mt="xs">
            <Radio value="now" label={words.now} />
            <Radio value="later" label={words.later} />
          </Group>
        </Radio.Group>
        {isLater && (
          <TextInput
            type="datetime-local"
            label={words.time}
            description={words.timeHint}
            required
            {...form.getInputProps('time')}
          />
        )}
        <Textarea
          label={words.note}
          description={words.noteHint}
          maxLength={MAX_NOTE_LENGTH}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('note')}
        />
        {publish.error && !timeErrorOf(publish.error).time && <ErrorAlert error={publish.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={publish.isPending} disabled={isPublished}>
            {isLater ? words.schedule : words.publish}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function explain(
  { environment, version }: PublishValues,
  current: number | undefined,
  isSame: boolean,
) {
  if (isSame) return words.isPublished(environment, version);
  if (current === undefined) return words.replacesNothing(environment);
  return words.replaces(environment, current);
}

const describe = (
  { version, environment }: PublishValues,
  { status, at }: { status: string; at: string },
): string =>
  status === 'scheduled'
    ? words.scheduledFor(environment, version, formatExact(at))
    : words.published(environment, version);

/**
 * The API may reject a time that the form accepted: the time has passed meanwhile, or the browser's clock is behind.
 */
function timeErrorOf(error: Error): { time?: string } {
  return 'at' in fieldErrorsOf(error) ? { time: words.timeInvalid } : {};
}
