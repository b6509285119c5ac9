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
 * @param at seconds since 1970. A receiver refuses one that is minutes old, so that a recorded
 * request cannot be played again.
 */
export function signatureHeaders(
  key: KeyObject,
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> {
  const hmac = (content: string) => createHmac('sha256', key).update(content);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${hmac(`${id}.${at}.${body}`).digest('base64')}`,
    'x-service-signature': `t=${at},v1=${hmac(`${at}.${body}`).digest('hex')}`,
  };
}
