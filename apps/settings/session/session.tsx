import type { UserManager } from 'oidc-client-ts';
import { createContext, lazy, Suspense, use, useEffect, type ReactNode } from 'react';
import { AuthProvider, useAuth } from 'react-oidc-context';
import { ApiProvider } from '../api/client.js';
import type { SettingsConfig } from './settings-config.js';

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

type Message =
  | { type: 'token-request' }
  /** `expiresAt` is in milliseconds since 1970. */
  | { type: 'token'; accessToken: string; expiresAt: number | undefined };

/**
 * Sends the access token to the API reference in other tabs, so that the reader can send requests from there
 * without a second sign-in. Only pages of the same origin can use the channel.
 */
function shareToken(
  accessToken: string | undefined,
  expiresAtSeconds: number | undefined,
): (() => void) | undefined {
  if (accessToken === undefined) return undefined;
  const channel = new BroadcastChannel('galley');
  const send = () =>
    channel.postMessage({
      type: 'token',
      accessToken,
      expiresAt: expiresAtSeconds && expiresAtSeconds * 1_000,
    } satisfies Message);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'token-request') send();
  };
  send();
  return () => channel.close();
}

const SampleReceiverContext = createContext<string | undefined>(undefined);

/** The URL of the sample receiver of this installation, if it has one. */
export const useSampleReceiver = (): string | undefined => use(SampleReceiverContext);

const VersionContext = createContext<string | undefined>(undefined);

/** The version and the commit of the Galley that serves the page; undefined if its configuration has none. */
export const useVersion = (): string | undefined => use(VersionContext);
