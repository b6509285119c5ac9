import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { DraftNotice, useDraft } from '../../controls/draft.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts/index.js';
import { useDocumentId, useKind } from '../kinds/kind-context.js';
import type { ListedVersion } from '../kinds/kind.js';
import { useRefreshDocument } from '../kinds/use-document.js';

const MAX_LABEL_LENGTH = 100;
const MAX_NOTE_LENGTH = 2_000;
const { library } = texts;

interface LabelFormProps {
  entry: ListedVersion;
  onClose: () => void;
}

export function LabelForm({ entry: { version, label, note }, onClose }: LabelFormProps) {
  const client = useClient();
  const { labelVersion } = useKind();
  const id = useDocumentId();
  const refresh = useRefreshDocument();
  const form = useForm({ initialValues: { label, note } });
  const draft = useDraft(`label:${id}:${version}`, form);
  const labelling = useMutation({
    mutationFn: (values: { label: string; note: string }) => {
      // Sends only the fields that the reader changed, because somebody else may have changed the other field.
      const body = {
        ...(values.label !== label && { label: values.label.trim() }),
        ...(values.note !== note && { note: values.note.trim() }),
      };
      return labelVersion({ client, path: { id, version }, body });
    },
    onSuccess: async () => {
      draft.forget();
      notifications.show({ message: library.labelSaved(version) });
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
          label={library.label}
          description={library.labelHint}
          maxLength={MAX_LABEL_LENGTH}
          data-autofocus
          {...form.getInputProps('label')}
        />
        <Textarea
          label={library.note}
          description={library.noteHint}
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
