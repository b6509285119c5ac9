import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
// The nonce and tag sizes of NIST SP 800-38D, section 5.2.1.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;
const KEY_BYTES = 32;

/** SECRETS_KEY and the earlier keys. */
export interface EncryptionKeys {
  /** 32 bytes. */
  key: Buffer;
  /** Earlier keys, which only decrypt. */
  oldKeys: readonly Buffer[];
}

/** Encrypts secrets at rest, and values that callers must send back unchanged. */
export class Encryption {
  /** By key id: the current key first, then the earlier keys. */
  private readonly keys: Map<string, Buffer>;
  /**
   * The prefix of everything that the current key has encrypted. After a change of keys, the prefix tells
   * which values to encrypt again.
   */
  readonly keyId: string;
  private readonly key: Buffer;

  constructor({ key, oldKeys }: EncryptionKeys) {
    this.keys = new Map([key, ...oldKeys].map((anyKey) => [keyIdOf(anyKey), anyKey]));
    this.keyId = keyIdOf(key);
    this.key = key;
  }

  /**
   * An `Encryption` whose keys are derived from the keys of this one. With random nonces, a key may encrypt
   * 2^32 messages (NIST SP 800-38D, section 8.3). Values that are encrypted for each request have keys of
   * their own, so that they do not count towards the limit of the keys for secrets at rest.
   */
  deriveFor(purpose: string): Encryption {
    const derive = (key: Buffer) => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
    const [, ...oldKeys] = this.keys.values();
    return new Encryption({ key: derive(this.key), oldKeys: oldKeys.map(derive) });
  }

  /**
   * Encrypts to characters that are safe in a URL. The context is authenticated (additional authenticated
   * data): a value decrypts only in the context in which it was encrypted.
   */
  encrypt(text: string, context: string): string {
    const sealed = seal(this.key, Buffer.from(text), context);
    return `${this.keyId}.${Buffer.concat(sealed).toString('base64url')}`;
  }

  /** @throws if the value was encrypted with another SECRETS_KEY or for another context, or was changed. */
  decrypt(encrypted: string, context: string): string {
    const [keyId = '', sealed = ''] = encrypted.split('.');
    const key = this.findKey(keyId);
    const bytes = Buffer.from(sealed, 'base64url');
    // Node decodes many spellings to the same bytes, so the spelling is checked. Earlier versions stored
    // values in plain base64.
    const encodings = (['base64url', 'base64'] as const).map((encoding) =>
      bytes.toString(encoding),
    );
    if (!encodings.some((encoding) => encrypted === `${keyId}.${encoding}`)) {
      throw new Error('The value is not spelled as it was encrypted.');
    }
    return open(key, bytes, context).toString('utf8');
  }

  /** Whether one of the keys encrypted the value. The value may be damaged all the same. */
  hasKeyFor(encrypted: string): boolean {
    return this.keys.has(encrypted.slice(0, encrypted.indexOf('.')));
  }

  /** Encrypts bytes like `encrypt`, and returns bytes. */
  encryptBytes(bytes: Buffer, context: string): Buffer {
    return Buffer.concat([Buffer.from(this.keyId, 'hex'), ...seal(this.key, bytes, context)]);
  }

  /**
   * @throws if the bytes were encrypted with another SECRETS_KEY or for another context, or were changed.
   */
  decryptBytes(encrypted: Buffer, context: string): Buffer {
    const key = this.findKey(encrypted.toString('hex', 0, KEY_ID_BYTES));
    return open(key, encrypted.subarray(KEY_ID_BYTES), context);
  }

  private findKey(id: string): Buffer {
    const key = this.keys.get(id);
    if (key !== undefined) return key;
    throw new Error(
      `The value was encrypted with another SECRETS_KEY (${id}); add that key to SECRETS_KEYS_OLD.`,
    );
  }
}

function seal(key: Buffer, bytes: Buffer, context: string): Buffer[] {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
  return [nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
}

function open(key: Buffer, sealed: Buffer, context: string): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  const bytes = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([bytes, decipher.final()]);
}

const keyIdOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);
