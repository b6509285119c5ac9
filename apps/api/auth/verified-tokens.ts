import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

// This many tokens take about 2 MB.
const MAX_TOKENS = 10_000;
// If the issuer withdraws a key, Galley accepts the key's tokens until this long after the key has left Galley's key
// set.
const MAX_TTL_MS = 60_000;

/**
 * Caches the users of tokens and API keys that were verified within the last minute. If the API verified the token of
 * each request, it could serve about a third fewer reads. The cache does not tell whether a user is still active: every
 * statement checks that again.
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
