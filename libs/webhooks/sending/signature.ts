import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The key that a secret contains: the part after `whsec_`, in base64. */
export const decodeSigningKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));

/**
 * The headers that prove that Galley sent a notification. Both signatures are HMAC-SHA256 with the key of
 * the endpoint's secret:
 *
 * - `webhook-signature` signs `<id>.<timestamp>.<body>`, as Standard Webhooks 1.0 says. Libraries of every
 *   language verify this signature.
 * - `X-Service-Signature` signs `<timestamp>.<body>`, for receivers that verify without a library.
 *
 * With several keys, during the rotation of a secret, each header has one signature for each key.
 * @param timestamp seconds since 1970. Receivers refuse an old timestamp, so that a recorded request cannot
 * be replayed.
 */
export function createSignatureHeaders(
  keys: readonly KeyObject[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): Record<string, string> {
  const sign = (content: string, encoding: 'base64' | 'hex') =>
    keys.map((key) => createHmac('sha256', key).update(content).digest(encoding));
  const standardSignatures = sign(`${id}.${timestamp}.${body}`, 'base64').map(
    (signature) => `v1,${signature}`,
  );
  const serviceSignatures = sign(`${timestamp}.${body}`, 'hex').map(
    (signature) => `v1=${signature}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignatures.join(' '),
    'x-service-signature': [`t=${timestamp}`, ...serviceSignatures].join(','),
  };
}
