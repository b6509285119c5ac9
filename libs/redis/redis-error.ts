import { describeHosts } from './redis-url.js';

const REFUSED_LOGIN = /WRONGPASS|NOAUTH|invalid password|without any password configured/i;
const NO_CONNECTION =
  /\bE[A-Z]{5,}\b|Connection is closed|sentinels are unreachable|slots cache|ETIMEDOUT|certificate/i;

/** Whether the error means that Redis refuses the user or the password. */
export const isRefusedLogin = (error: Error): boolean => REFUSED_LOGIN.test(messageOf(error));

/**
 * Explains why there is no connection to Redis, and what to check. Returns undefined for other errors. The text
 * contains no secret.
 */
export function explainRedisError(error: Error, url: string): string | undefined {
  const message = messageOf(error);
  if (!NO_CONNECTION.test(message) && !isRefusedLogin(error)) return undefined;
  return `Cannot connect to Redis at ${describeHosts(url)}: ${message}. ${adviceFor(message, url)}`;
}

/** Tells operators which settings to check. */
export function adviceFor(message: string, url: string): string {
  // If a certificate is refused, the cluster client says only that the connection was closed.
  if (/certificate/i.test(message) || (message.startsWith('Connection is closed') && hasTls(url))) {
    return 'Check NODE_EXTRA_CA_CERTS and the host name in REDIS_URL.';
  }
  if (message.includes('No such master with that name')) {
    return 'Check the name of the primary in REDIS_URL.';
  }
  if (REFUSED_LOGIN.test(message)) return 'Check the user and the password in REDIS_URL.';
  return 'Check REDIS_URL, and that Redis is running.';
}

const hasTls = (url: string) => url.startsWith('rediss');

/** The errors of the cluster client contain the actual reason in `lastNodeError`. */
const messageOf = (error: Error & { lastNodeError?: Error }): string =>
  (error.lastNodeError ?? error).message.replace(/\.$/, '');
