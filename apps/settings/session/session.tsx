import type { UserManager } from 'oidc-client-ts';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { AuthProvider, useAuth } from 'react-oidc-context';
import { ApiProvider } from '../api/api-context.js';
import { SampleReceiverContext } from './sample-receiver.js';
import type { SettingsConfig } from './settings-config.js';
import { shareToken } from './share-token.js';
import { VersionContext } from './version.js';

// Few readers see this dialog, so the code for dialogs is not loaded with the first view.
const SessionEndedModal = lazy(async () => ({
  default: (await import('./session-ended-modal.js')).SessionEndedModal,
}));

interface SessionProps {
  config: SettingsConfig;
  /** Holds the signed-in user and the tokens. */
  userManager: UserManager;
  children: ReactNode;
}

/** Gives the token of the signed-in user to the API client, and renews the token. */
export function Session({ config, userManager, children }: SessionProps) {
  return (
    <AuthProvider userManager={userManager} matchSignoutCallback={() => false} skipSigninCallback>
      <TokenShare token={config.token} />
      <ApiProvider config={config} userManager={userManager}>
        <SampleReceiverContext value={config.sampleReceiverUrl}>
          <VersionContext value={config.version}>{children}</VersionContext>
        </SampleReceiverContext>
      </ApiProvider>
      <SessionEnd />
    </AuthProvider>
  );
}

function TokenShare({ token }: Pick<SettingsConfig, 'token'>) {
  const { user } = useAuth();
  const apiToken = user?.[token];
  useEffect(() => shareToken(apiToken, user?.expires_at), [apiToken, user?.expires_at]);
  return null;
}

function SessionEnd() {
  const { isLoading, activeNavigator, user } = useAuth();
  const hasEnded = !isLoading && activeNavigator === undefined && user == null;
  return <Suspense>{hasEnded && <SessionEndedModal />}</Suspense>;
}
