import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { signingKey } from './signature.js';
import { WEBHOOKS_OPTIONS, type WebhooksOptions } from './webhooks.options.js';

const CIPHER = 'aes-256-gcm';
const SECRET_BYTES = 32;
// The nonce and tag sizes of NIST SP 800-38D, section 5.2.1.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
// At some 500 bytes each, 5 MB at most.
const KEPT_KEYS = 10_000;

/** Makes the secrets of endpoints and keeps them encrypted at rest. */
@Injectable()
export class Secrets {
  /** The current key first, then earlier ones, which still decrypt. By id. */
  private readonly keys: Map<string, Buffer>;
  /** Stands in front of what the key has encrypted, so that a change of keys knows which is which. */
  readonly keyId: string;
  private readonly key: Buffer;

  /**
   * By owner and encrypted secret. To make a key takes several times as long as to sign with it
   * (HMAC of a notification: 3 µs with a key that is ready, 18 µs with bytes).
   */
  private readonly signingKeys = new LRUCache<string, KeyObject>({ max: KEPT_KEYS });

  constructor(
    @Inject(WEBHOOKS_OPTIONS)
    { secretsKey, oldSecretsKeys }: Pick<WebhooksOptions, 'secretsKey' | 'oldSecretsKeys'>,
  ) {
    this.keys = new Map([secretsKey, ...oldSecretsKeys].map((key) => [idOf(key), key]));
    this.keyId = idOf(secretsKey);
    this.key = secretsKey;
  }

  /** A new secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
  generate(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }

  /** `owner` is bound to the result, so that one endpoint's secret cannot be passed off as another's. */
  encrypt(secret: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(owner));
    const sealed = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${this.keyId}.${Buffer.concat(sealed).toString('base64')}`;
  }

  /** The key to sign with. It throws what `decrypt` throws. */
  signingKeyOf(encrypted: string, owner: string): KeyObject {
    const name = `${owner} ${encrypted}`;
    const known = this.signingKeys.get(name);
    if (known) return known;
    const key = signingKey(this.decrypt(encrypted, owner));
    this.signingKeys.set(name, key);
    return key;
  }

  /** @throws when it was encrypted with another SECRETS_KEY or for another owner. */
  decrypt(encrypted: string, owner: string): string {
    const [keyId, sealed = ''] = encrypted.split('.');
    const key = this.keys.get(keyId ?? '');
    if (key === undefined) {
      throw new Error(
        `It was encrypted with another SECRETS_KEY (${keyId ?? ''}); name that one in SECRETS_KEYS_OLD.`,
      );
    }
    const bytes = Buffer.from(sealed, 'base64');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }
}

const idOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);
