// The sample subscriber listens on this port if PORT is not set.
const DEFAULT_PORT = '4000';

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export const isOnThisMachine = (hostname: string): boolean => LOCAL_HOSTS.includes(hostname);

/** Whether a webhook's URL points to the port on this machine that the sample receiver already uses. */
export function isPortOfSampleReceiver(webhookUrl: string, sampleUrl: string): boolean {
  const { hostname, port } = new URL(webhookUrl);
  return isOnThisMachine(hostname) && port === new URL(sampleUrl).port;
}

/**
 * The command that starts the sample subscriber for a webhook. If the URL points to this machine, the subscriber
 * listens on the port of the URL.
 */
export function receiverCommand(webhookUrl: string, secret: string): string {
  const { hostname, port } = new URL(webhookUrl);
  const isOtherPort = isOnThisMachine(hostname) && port !== '' && port !== DEFAULT_PORT;
  return `${isOtherPort ? `PORT=${port} ` : ''}WEBHOOK_SECRET=${secret} npm run receiver`;
}
