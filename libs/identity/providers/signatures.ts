import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

// The tolerance of the Standard Webhooks libraries. The sender's clock may be behind or ahead.
const TOLERANCE_MS = 5 * 60_000;

export const isRecent = (milliseconds: number): boolean =>
  Math.abs(Date.now() - milliseconds) <= TOLERANCE_MS;

export const hmacHex = (secret: string, ...parts: (string | Buffer)[]): string =>
  parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', secret)).digest('hex');

/** Compares two strings in constant time. Hashing gives both the same length, which `timingSafeEqual` requires. */
export const constantTimeEqual = (actual: string, expected: string): boolean =>
  timingSafeEqual(sha256(actual), sha256(expected));

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
