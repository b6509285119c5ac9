import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './styles/global.css';
import { Alert, Button, Center, MantineProvider, Stack, Text, Title } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import type { UserManager } from 'oidc-client-ts';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.js';
import { Session } from './session/session.js';
import type { SettingsConfig } from './session/settings-config.js';
import { cspNonce, cssVariables, theme } from './styles/theme.js';
import { texts } from './texts.js';

export const renderApp = (config: SettingsConfig, userManager: UserManager): void =>
  render(
    <>
      <Notifications position="bottom-right" />
      <Session config={config} userManager={userManager}>
        <RouterProvider router={router} />
      </Session>
    </>,
  );

export const renderSignedOut = (): void => render(<SignedOut />);

export const renderStartError = (error: unknown): void => render(<StartError error={error} />);

function render(content: ReactNode): void {
  const container = document.getElementById('root');
  if (container === null) throw new Error('index.html has no element with the id root.');
  createRoot(container).render(
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={cspNonce}
      cssVariablesResolver={cssVariables}
    >
      {content}
    </MantineProvider>,
  );
}

function SignedOut() {
  return (
    <Center mih="100vh" p="md">
      <Stack align="center" gap="sm">
        <Title order={1} size="h3">
          {texts.session.signedOutTitle}
        </Title>
        <Text c="dimmed">{texts.session.signedOutText}</Text>
        <Button component="a" href={import.meta.env.BASE_URL}>
          {texts.session.signIn}
        </Button>
      </Stack>
    </Center>
  );
}

/** Shown instead of the whole page if the settings area cannot start. */
function StartError({ error }: { error: unknown }) {
  return (
    <Center mih="100vh" p="md">
      <Stack maw={480}>
        <Alert color="red" title={texts.common.startErrorTitle}>
          {error instanceof Error ? error.message : String(error)}
        </Alert>
        <Button variant="default" component="a" href={import.meta.env.BASE_URL}>
          {texts.common.retry}
        </Button>
      </Stack>
    </Center>
  );
}
