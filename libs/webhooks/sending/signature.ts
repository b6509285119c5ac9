import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Decodes the signing key that a secret contains: the base64 text after `whsec_`. */
export const decodeSigningKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));

/**
 * Creates the headers that prove that Galley sent a notification. Both signatures are HMAC-SHA256 with the key from the
 * endpoint's secret:
 *
 * - `webhook-signature` signs `<id>.<timestamp>.<body>`, as Standard Webhooks 1.0 specifies. Libraries for all common
 *   languages verify this signature.
 * - `X-Service-Signature` signs `<timestamp>.<body>`, for receivers that verify without a library.
 *
 * While a secret is being rotated, there are several keys, and each signature header contains one signature per key.
 * @param timestamp Unix time in seconds. Receivers reject an old timestamp, so that a captured request cannot be
 * replayed.
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
