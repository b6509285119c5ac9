import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './styles/global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import type { UserManager } from 'oidc-client-ts';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.js';
import { Session } from './session/session.js';
import type { SettingsConfig } from './session/settings-config.js';
import { SignedOut } from './session/signed-out.js';
import { StartError } from './states/start-error.js';
import { cspNonce } from './styles/csp-nonce.js';
import { cssVariables, theme } from './styles/theme.js';

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
