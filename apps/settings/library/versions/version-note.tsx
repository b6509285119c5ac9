import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useHasRole } from '../../api/workspaces.js';
import { DraftNotice, useDraft } from '../../controls/draft.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { useDocumentId, useKind, type ListedVersion } from '../kinds.js';
import { PublishVersion } from '../publishing/publish-version.js';
import { useRefreshDocument } from '../use-document.js';
import { VersionLabel } from '../version-parts.js';
import { words } from './texts.js';

/** The label and note of a version, which editors can change, and the button that publishes the version. */
export function VersionNote({ entry }: { entry: ListedVersion }) {
  const { version, label, note } = entry;
  const isEditor = useHasRole('editor');
  const [isOpen, dialog] = useDisclosure();
  const isEmpty = label === '' && note === '';
  if (isEmpty && !isEditor) return null;
  return (
    <section aria-label={words.labelAndNote}>
      <Group gap="xs">
        {label !== '' && <VersionLabel>{label}</VersionLabel>}
        {isEditor && (
          <Button size="xs" variant="default" onClick={dialog.open}>
            {isEmpty ? words.addLabel : words.editLabel}
          </Button>
        )}
        <PublishVersion version={version} size="xs" variant="default">
          {words.publishVersion}
        </PublishVersion>
      </Group>
      {note !== '' && (
        <Text size="sm" mt={4} style={{ whiteSpace: 'pre-wrap' }}>
          {note}
        </Text>
      )}
      <Modal opened={isOpen} onClose={dialog.close} title={words.labelTitle(version)} centered>
        <LabelForm entry={entry} onClose={dialog.close} />
      </Modal>
    </section>
  );
}

const MAX_LABEL_LENGTH = 100;
const MAX_NOTE_LENGTH = 2_000;

interface LabelFormProps {
  entry: ListedVersion;
  onClose: () => void;
}

function LabelForm({ entry: { version, label, note }, onClose }: LabelFormProps) {
  const client = useClient();
  const { labelVersion } = useKind();
  const id = useDocumentId();
  const refresh = useRefreshDocument();
  const form = useForm({ initialValues: { label, note } });
  const draft = useDraft(`label:${id}:${version}`, form);
  const labelling = useMutation({
    mutationFn: (values: { label: string; note: string }) => {
      // Sends only the fields that the user changed, because somebody else may have changed the other field.
      const body = {
        ...(values.label !== label && { label: values.label.trim() }),
        ...(values.note !== note && { note: values.note.trim() }),
      };
      return labelVersion({ client, path: { id, version }, body });
    },
    onSuccess: async () => {
      draft.forget();
      notifications.show({ message: words.labelSaved(version) });
      await refresh();
      onClose();
    },
  });
  const cancel = () => {
    draft.forget();
    onClose();
  };
  return (
    <form onSubmit={form.onSubmit((values) => labelling.mutate(values))} noValidate>
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <TextInput
          label={words.label}
          description={words.labelHint}
          maxLength={MAX_LABEL_LENGTH}
          data-autofocus
          {...form.getInputProps('label')}
        />
        <Textarea
          label={words.note}
          description={words.noteHint}
          maxLength={MAX_NOTE_LENGTH}
          autosize
          minRows={3}
          maxRows={10}
          {...form.getInputProps('note')}
        />
        {labelling.error && <ErrorAlert error={labelling.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={labelling.isPending} disabled={!form.isDirty()}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
