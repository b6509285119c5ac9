import { randomBytes, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Encryption } from '#encryption';
import { LRUCache } from 'lru-cache';
import { signingKey } from './signature.js';

const SECRET_BYTES = 32;
// At some 500 bytes each, 5 MB at most.
const KEPT_KEYS = 10_000;

/** A new secret of an endpoint in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Makes of the endpoints' encrypted secrets what signs. */
@Injectable()
export class Secrets {
  /**
   * By owner and encrypted secret. To make a key takes several times as long as to sign with it
   * (HMAC of a notification: 3 µs with a key that is ready, 18 µs with bytes).
   */
  private readonly keys = new LRUCache<string, KeyObject>({ max: KEPT_KEYS });

  constructor(private readonly encryption: Encryption) {}

  /** It throws what `Encryption.decrypt` throws. */
  signingKeyOf(encrypted: string, owner: string): KeyObject {
    const name = `${owner} ${encrypted}`;
    const known = this.keys.get(name);
    if (known) return known;
    const key = signingKey(this.encryption.decrypt(encrypted, owner));
    this.keys.set(name, key);
    return key;
  }
}
