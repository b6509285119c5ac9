import type { UserManager } from 'oidc-client-ts';
import { createContext, lazy, Suspense, use, useEffect, type ReactNode } from 'react';
import { AuthProvider, useAuth } from 'react-oidc-context';
import { ApiProvider } from '../api/client.js';
import type { SettingsConfig } from './settings-config.js';

// Loaded on demand, because few users ever see this dialog.
const SessionEndedModal = lazy(async () => ({
  default: (await import('./session-ended-modal.js')).SessionEndedModal,
}));

interface SessionProps {
  config: SettingsConfig;
  /** Holds the signed-in user and the tokens. */
  userManager: UserManager;
  children: ReactNode;
}

/** Supplies the API client with the signed-in user's token, and renews the token. */
export function Session({ config, userManager, children }: SessionProps) {
  return (
    <AuthProvider userManager={userManager} matchSignoutCallback={() => false} skipSigninCallback>
      <TokenShare token={config.token} />
      <ApiProvider config={config} userManager={userManager}>
        <SampleReceiverContext value={config.sampleReceiverUrl}>
          <TestEmailsContext value={config.hasTestEmails ?? false}>
            <VersionContext value={config.version}>{children}</VersionContext>
          </TestEmailsContext>
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
  /** `expiresAt` is in milliseconds since the Unix epoch. */
  | { type: 'token'; accessToken: string; expiresAt: number | undefined };

/**
 * Shares the access token with the API reference in other tabs, so that the user can send requests from there without
 * signing in again. Only pages of the same origin can use the channel.
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

/** The URL of this installation's sample receiver, if it has one. */
export const useSampleReceiver = (): string | undefined => use(SampleReceiverContext);

const TestEmailsContext = createContext(false);

/** Whether this installation sends test emails. */
export const useHasTestEmails = (): boolean => use(TestEmailsContext);

const VersionContext = createContext<string | undefined>(undefined);

/** The version and the commit of the Galley server behind this page; undefined if config.json does not contain them. */
export const useVersion = (): string | undefined => use(VersionContext);
