import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The key that a secret holds in base64 behind `whsec_`. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));

/**
 * The headers that prove where a notification comes from. Both signatures are HMAC-SHA256
 * with the key of the endpoint's secret:
 * - `webhook-signature` over `<id>.<timestamp>.<body>`, of Standard Webhooks 1.0, which libraries
 *   of every language verify;
 * - `X-Service-Signature` over `<timestamp>.<body>`, for receivers that do it themselves.
 * With several keys, as while a secret is replaced, there is a signature of each.
 * @param at seconds since 1970. A receiver refuses one that is minutes old, so that a recorded
 * request cannot be played again.
 */
export function signatureHeaders(
  keys: readonly KeyObject[],
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> {
  const sign = (content: string, encoding: 'base64' | 'hex') =>
    keys.map((key) => createHmac('sha256', key).update(content).digest(encoding));
  const standard = sign(`${id}.${at}.${body}`, 'base64').map((signature) => `v1,${signature}`);
  const service = sign(`${at}.${body}`, 'hex').map((signature) => `v1=${signature}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': standard.join(' '),
    'x-service-signature': [`t=${at}`, ...service].join(','),
  };
}
