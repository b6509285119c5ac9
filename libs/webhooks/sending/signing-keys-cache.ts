import { randomBytes, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Encryption } from '#encryption';
import { LRUCache } from 'lru-cache';
import { decodeSigningKey } from './signature.js';

const SECRET_BYTES = 32;
// A key takes about 500 bytes, all keys about 5 MB.
const MAX_KEYS = 10_000;

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const generateSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Decrypts the secrets of endpoints and caches their signing keys. */
@Injectable()
export class SigningKeysCache {
  /**
   * The keys by endpoint and encrypted secret. Creating a key takes several times as long as signing with
   * the key (HMAC of a notification: 3 µs with a key object, 18 µs with bytes).
   */
  private readonly keys = new LRUCache<string, KeyObject>({ max: MAX_KEYS });

  constructor(private readonly encryption: Encryption) {}

  /**
   * @param context the id of the endpoint, which the encryption is bound to.
   * @throws what `Encryption.decrypt` throws.
   */
  get(encryptedSecret: string, context: string): KeyObject {
    const cacheKey = `${context} ${encryptedSecret}`;
    const cached = this.keys.get(cacheKey);
    if (cached) return cached;
    const key = decodeSigningKey(this.encryption.decrypt(encryptedSecret, context));
    this.keys.set(cacheKey, key);
    return key;
  }
}
