import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

// This many tokens take about 2 MB.
const MAX_TOKENS = 10_000;
// If the issuer withdraws a key, Galley accepts the tokens of that key until this long after the key has left
// Galley's key set.
const MAX_TTL_MS = 60_000;

/**
 * The users of tokens and API keys that were verified within the last minute. Verification for each request
 * would cost the API about a third of the reads that it can serve. The cache does not say whether a user is
 * still active: every statement checks that again.
 */
export class VerifiedTokens {
  private readonly userIds = new LRUCache<string, string>({ max: MAX_TOKENS, perf: performance });

  findUserId(token: string): string | undefined {
    return this.userIds.get(hashToken(token));
  }

  /**
   * Keeps a verified token for a minute, but never after it expires.
   * @param expiresAtMs milliseconds since 1970.
   */
  add(token: string, userId: string, expiresAtMs: number): void {
    const ttl = Math.min(MAX_TTL_MS, expiresAtMs - Date.now());
    if (ttl > 0) this.userIds.set(hashToken(token), userId, { ttl });
  }
}

/** The cache holds hashes: a token may be long, and is a credential that should not stay in memory. */
const hashToken = (token: string): string => hash('sha256', token, 'base64');
