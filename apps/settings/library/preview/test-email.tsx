import { sendTestEmail } from '#client';
import { Button, Group, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { useClient } from '../../api/client.js';
import { useCurrentUser, useHasRole } from '../../api/workspaces.js';
import { ErrorAlert } from '../../controls/states.js';
import { fieldErrorsOf } from '../../controls/validation.js';
import { useHasTestEmails } from '../../session/session.js';
import { useDocumentId, useKind } from '../kinds.js';
import { versionBody, type PreviewedVersion } from './preview-queries.js';
import type { SampleData } from './sample-values.js';
import { words } from './texts.js';

interface TestEmailProps {
  version: PreviewedVersion;
  data: SampleData | undefined;
  language: string | undefined;
}

/** Sends the previewed version of a template to a mailbox, if the operator has configured an SMTP server. */
export function TestEmail(props: TestEmailProps) {
  const hasTestEmails = useHasTestEmails();
  const isEditor = useHasRole('editor');
  const { name } = useKind();
  const { data: user } = useCurrentUser();
  if (!hasTestEmails || !isEditor || name !== 'template' || user === undefined) return null;
  return <TestEmailForm {...props} ownEmail={user.email} />;
}

function TestEmailForm({
  version,
  data,
  language,
  ownEmail,
}: TestEmailProps & { ownEmail: string }) {
  const client = useClient();
  const id = useDocumentId();
  const [to, setTo] = useState(ownEmail);
  const sending = useMutation({
    mutationFn: async () => {
      const options = { ...(data && { data }), ...(language && { language }) };
      const body = { to, ...versionBody(version), ...options };
      return (await sendTestEmail({ client, path: { id }, body })).data;
    },
  });
  const { error, data: sent } = sending;
  const { to: toError } = error ? fieldErrorsOf(error) : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {words.testEmail}
      </Title>
      <form onSubmit={submit} noValidate>
        <Group gap="xs" align="start">
          <TextInput
            type="email"
            aria-label={words.testEmailTo}
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
            error={toError}
            style={{ flex: '1 1 12rem' }}
          />
          <Button type="submit" variant="default" loading={sending.isPending}>
            {words.sendTestEmail}
          </Button>
        </Group>
      </form>
      <div role="status">
        {sent && (
          <Text size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
            {words.testEmailSent(sent.accepted.join(', '), sent.response)}
          </Text>
        )}
      </div>
      {error && toError === undefined && <ErrorAlert error={error} />}
    </section>
  );
}
