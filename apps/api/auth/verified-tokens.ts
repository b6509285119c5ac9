import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

// Some 2 MB.
const KEPT_TOKENS = 10_000;
// A key that the issuer has withdrawn serves no longer than this beyond its time in our key set.
const KEPT_FOR_MS = 60_000;

/**
 * Who sent a token or key that was verified a moment ago: to do so anew for each request took about a third
 * of the reads that the API can serve. Whether the user is still welcome is not kept; every statement
 * asks that anew.
 */
@Injectable()
export class VerifiedTokens {
  private readonly users = new LRUCache<string, string>({ max: KEPT_TOKENS });

  userOf(token: string): string | undefined {
    return this.users.get(fingerprintOf(token));
  }

  /**
   * Keeps what has been verified for a minute, but never beyond its own end.
   * @param end milliseconds since 1970.
   */
  keep(token: string, userId: string, end: number): void {
    const ttl = Math.min(KEPT_FOR_MS, end - Date.now());
    if (ttl > 0) this.users.set(fingerprintOf(token), userId, { ttl });
  }
}

/** Tokens may be long, and need not lie about in memory. */
const fingerprintOf = (token: string): string => hash('sha256', token, 'base64');
