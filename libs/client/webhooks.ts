import type { WebhookNotification } from './generated/index.js';

/** The `Headers` of `fetch`, or the `headers` of a request in Node.js. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface VerifiedWebhook {
  /** The event's id, which is the same for every attempt and every replay. Skip events whose id you have seen. */
  id: string;
  /** A later release of Galley may send event kinds that this type does not name. */
  notification: WebhookNotification;
}

/** Thrown if the request cannot be verified as a request from Galley. Respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

interface VerifyOptions {
  /** The maximum difference between the time of the attempt and now, in either direction. Default: 300. */
  toleranceSeconds?: number;
}

/**
 * Verifies the signature of a notification (Standard Webhooks), and only then parses the notification.
 *
 * @param body the raw body, as received. A body that was parsed and serialised again may have other bytes, which the
 * signature does not match.
 * @param secrets one secret, or several during a rotation.
 * @throws WebhookVerificationError if none of the secrets signed this body, if a header is missing or malformed, or if
 * the time of the attempt is more than `toleranceSeconds` from now.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('Pass the raw body of the request, as a string or bytes, not parsed JSON.');
  }
  const keys = [secrets].flat().map(decodeSecret);
  if (keys.length === 0) throw new TypeError('Pass at least one secret of the webhook.');
  const id = requireHeader(headers, 'webhook-id');
  const timestamp = requireHeader(headers, 'webhook-timestamp');
  const signatures = requireHeader(headers, 'webhook-signature').split(' ');
  if (!/^\d+$/.test(timestamp))
    throw new WebhookVerificationError('The header webhook-timestamp is not a number.');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError(
      `The header webhook-timestamp differs from the current time by more than ${toleranceSeconds} seconds. Somebody may have repeated an old request, or one of the clocks is wrong.`,
    );
  }
  const signedContent = concatenate(toBytes(`${id}.${timestamp}.`), toBytes(body));
  for (const key of keys) {
    const expected = `v1,${await sign(key, signedContent)}`;
    if (signatures.some((signature) => constantTimeEqual(signature, expected))) {
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
      return { id, notification: JSON.parse(text) as WebhookNotification };
    }
  }
  throw new WebhookVerificationError(
    'The signature matches none of the secrets. Check the secrets, and pass the raw body of the request.',
  );
}

function decodeSecret(secret: string): Bytes {
  const base64 = secret.replace(/^whsec_/, '');
  try {
    if (base64 !== '') return Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  } catch {
    // A secret that is not base64 is rejected like an empty secret.
  }
  throw new TypeError('Pass each secret as Galley shows it: whsec_ followed by base64.');
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The header ${name} is missing.`);
}

const isFetchHeaders = (headers: WebhookHeaders): headers is Headers =>
  typeof headers.get === 'function';

async function sign(secret: Bytes, signedContent: Bytes): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signedContent));
  return btoa(String.fromCharCode(...signature));
}

/** Compares two strings in a time that does not depend on where they differ. */
function constantTimeEqual(actual: string, expected: string): boolean {
  if (actual.length !== expected.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index++) {
    difference |= actual.charCodeAt(index) ^ expected.charCodeAt(index);
  }
  return difference === 0;
}

/** WebCrypto accepts this type, but not the bytes of a `SharedArrayBuffer`. */
type Bytes = Uint8Array<ArrayBuffer>;

const toBytes = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text;

function concatenate(head: Uint8Array, tail: Uint8Array): Bytes {
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
}
