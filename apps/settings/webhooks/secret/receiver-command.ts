// The port that the sample subscriber listens on if PORT is not set.
const DEFAULT_PORT = '4000';

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export const isOnThisMachine = (hostname: string): boolean => LOCAL_HOSTS.includes(hostname);

/** Whether a webhook's URL points to the port on this machine that the sample receiver already uses. */
export function isPortOfSampleReceiver(webhookUrl: string, sampleUrl: string): boolean {
  const { hostname, port } = new URL(webhookUrl);
  return isOnThisMachine(hostname) && port === new URL(sampleUrl).port;
}

/**
 * The command that starts the sample subscriber for a webhook. It uses the port of a URL that points to this machine.
 */
export function receiverCommand(webhookUrl: string, secret: string): string {
  const { hostname, port } = new URL(webhookUrl);
  const isOtherPort = isOnThisMachine(hostname) && port !== '' && port !== DEFAULT_PORT;
  return `${isOtherPort ? `PORT=${port} ` : ''}WEBHOOK_SECRET=${secret} npm run receiver`;
}
