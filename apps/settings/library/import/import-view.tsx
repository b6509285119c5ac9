import { importDocument, render, type ImportFormat } from '#client';
import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useClient } from '../../api/client.js';
import { useHasRole, useWorkspaceId } from '../../api/workspaces.js';
import { Page } from '../../controls/page.js';
import { EmptyState, ErrorAlert } from '../../controls/states.js';
import { texts } from '../../texts.js';
import { ImportForm } from './import-form.js';
import { ImportResult } from './import-result.js';
import { words } from './texts.js';

interface Values {
  format: ImportFormat;
  content: string;
}

/** Turns an email of another program into a template: content, report, preview, save. Requires the `editor` role. */
export function ImportView() {
  const client = useClient();
  const workspaceId = useWorkspaceId();
  const isEditor = useHasRole('editor');
  const conversion = useMutation({
    mutationFn: async ({ format, content }: Values) => {
      const { data } = await importDocument({ client, body: { format, content, workspaceId } });
      const body = { content: data.document, workspaceId };
      const { data: rendered } = await render({ client, body });
      return { ...data, rendered };
    },
  });
  if (!isEditor) {
    const { forbiddenTitle, forbiddenText } = texts.common;
    return <EmptyState title={forbiddenTitle} text={forbiddenText('editor')} />;
  }
  return (
    <Page title={words.title}>
      <Text size="sm" mb="lg" maw={640}>
        {words.text}
      </Text>
      <ImportForm
        onSubmit={(values) => conversion.mutate(values)}
        isPending={conversion.isPending}
      />
      {conversion.error && <ErrorAlert error={conversion.error} />}
      {conversion.data && <ImportResult key={conversion.submittedAt} imported={conversion.data} />}
    </Page>
  );
}
