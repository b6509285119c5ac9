import { createHash } from 'node:crypto';
import { DomainError } from '#errors';

/** This program cannot encrypt or decrypt a value, because it lacks a key. The operator must act. */
export class MissingKey extends DomainError {
  /** @param keyId the key that encrypted the value; undefined if this program has no key to encrypt with. */
  constructor(readonly keyId?: string) {
    super('unavailable', MISSING_KEY);
  }
}

const MISSING_KEY =
  'Galley lacks an encryption key that it needs, so nothing was changed. The operator must correct SECRETS_KEYS.';

/**
 * The keys of SECRETS_KEYS. The active key encrypts new values, and every key decrypts the values that it has
 * encrypted. `KeyRotation` stores in PostgreSQL which key is active, because all programs must encrypt with the same
 * key.
 */
export class KeyRing {
  /** The ids of the keys, in the order of SECRETS_KEYS. An id reveals nothing about its key. */
  readonly ids: readonly string[];
  private readonly keys: ReadonlyMap<string, Buffer>;
  private active: string | undefined;

  /** @param keys 32 bytes each. No key is active until `activate` is called. */
  constructor(keys: readonly Buffer[]) {
    this.keys = new Map(keys.map((key) => [computeKeyId(key), key]));
    this.ids = [...this.keys.keys()];
  }

  /** The id of the key that encrypts new values; undefined if this program must not encrypt new values. */
  get activeId(): string | undefined {
    return this.active;
  }

  activate(id: string | undefined): void {
    this.active = id;
  }

  /** @throws MissingKey */
  get(id: string): Buffer {
    const key = this.keys.get(id);
    if (key === undefined) throw new MissingKey(id);
    return key;
  }
}

export const computeKeyId = (key: Buffer): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 8);
