type Message =
  | { type: 'token-request' }
  /** `expiresAt` is in milliseconds since 1970. */
  | { type: 'token'; accessToken: string; expiresAt: number | undefined };

/**
 * Sends the access token to the API reference in other tabs, so that the reader can send requests from there
 * without a second sign-in. Only pages of the same origin can use the channel.
 */
export function shareToken(
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
