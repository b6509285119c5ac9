import { createTemplate, type Imported, type Rendered } from '#client';
import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useClient } from '../../api/client.js';
import { useWorkspaceId } from '../../api/workspaces.js';
import { ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { EmailFrame } from '../preview/email-frame.js';
import { ImportReport } from './import-report.js';
import classes from './import.module.css';
import { words } from './texts.js';

interface ImportResultProps {
  imported: Imported & { rendered: Rendered };
}

/** The imported email beside the report, and the form that saves it. */
export function ImportResult({ imported }: ImportResultProps) {
  const { document, report, rendered } = imported;
  return (
    <section>
      <Title order={2} size="h4" mb="md">
        {words.result}
      </Title>
      <div className={classes['layout']}>
        <div className={classes['stage']}>
          <EmailFrame title={words.frameTitle} html={rendered.html ?? ''} width={720} />
        </div>
        <Stack gap="lg">
          <SaveForm document={document} />
          {rendered.warnings.length > 0 && (
            <Text size="sm">{words.warnings(rendered.warnings.length)}</Text>
          )}
          <ImportReport report={report} />
        </Stack>
      </div>
    </section>
  );
}

function SaveForm({ document }: Pick<Imported, 'document'>) {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: document.title ?? '' },
    validate: {
      name: (text) => {
        if (text.trim() === '') return words.nameMissing;
        return text.trim().length > 255 ? texts.common.nameTooLong : null;
      },
    },
  });
  const creation = useMutation({
    mutationFn: async (name: string) => {
      const body = { workspaceId, name, content: document };
      return (await createTemplate({ client, body })).data;
    },
    onSuccess: async ({ id, name }) => {
      notifications.show({ message: words.saved(name) });
      void navigate({
        to: '/w/$workspaceId/templates/$documentId',
        params: { workspaceId, documentId: id },
      });
      await queryClient.invalidateQueries({ queryKey: ['templates'] });
    },
  });
  return (
    <form onSubmit={form.onSubmit(({ name }) => creation.mutate(name.trim()))} noValidate>
      <Stack gap="sm" align="flex-start">
        <TextInput label={words.nameLabel} w="100%" {...form.getInputProps('name')} />
        <Button type="submit" loading={creation.isPending}>
          {words.save}
        </Button>
        {creation.error && <ErrorAlert error={creation.error} />}
      </Stack>
    </form>
  );
}
