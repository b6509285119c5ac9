import { Box, Button, Paper, Text, Title } from '@mantine/core';
import { useAuth } from 'react-oidc-context';
import { Page } from '../../controls/page.js';
import { texts } from '../../texts/index.js';
import { CreateWorkspaceForm } from './create-workspace-form.js';

interface FirstWorkspaceProps {
  onCheckAgain: () => unknown;
  isChecking: boolean;
}

/** Shown to a reader who is not a member of any workspace: offers to create a workspace. */
export function FirstWorkspace({ onCheckAgain, isChecking }: FirstWorkspaceProps) {
  const { start } = texts;
  const email = useAuth().user?.profile.email;
  return (
    <Page title={start.firstTitle}>
      <Text mb="lg">{start.firstText}</Text>
      <Paper withBorder p="lg">
        <CreateWorkspaceForm />
      </Paper>
      <Box mt="xl">
        <Title order={2} size="h5" mb={4}>
          {start.invitedTitle}
        </Title>
        <Text size="sm">{email ? start.invitedText(email) : start.invitedTextWithoutEmail}</Text>
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={isChecking}
          onClick={() => void onCheckAgain()}
        >
          {start.checkAgain}
        </Button>
      </Box>
    </Page>
  );
}
