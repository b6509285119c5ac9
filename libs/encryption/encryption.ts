import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { computeKeyId, MissingKey, type KeyRing } from './key-ring.js';

const CIPHER = 'aes-256-gcm';
// The nonce and tag sizes of NIST SP 800-38D, section 5.2.1.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;
const KEY_BYTES = 32;

interface Key {
  /** The prefix of everything that the key has encrypted. */
  id: string;
  bytes: Buffer;
}

/** Encrypts secrets at rest, and values that callers must send back unchanged. */
export class Encryption {
  /** The derived keys, by the id of the key in the ring. */
  private readonly keys = new Map<string, Key>();

  constructor(
    private readonly ring: KeyRing,
    private readonly derive = (key: Buffer) => key,
  ) {}

  /**
   * The id of the active key, which prefixes every newly encrypted value. After a key change, the prefix shows which
   * values must be re-encrypted.
   * @throws MissingKey if no key is active, so that this program must not encrypt new values.
   */
  get keyId(): string {
    return this.activeKey.id;
  }

  /**
   * Returns an `Encryption` whose keys are derived from the keys of this one. With random nonces, a key may encrypt at
   * most 2^32 messages (NIST SP 800-38D, section 8.3). Values that are encrypted on every request need keys of their
   * own. Otherwise, they would use up the limit of the keys that encrypt secrets at rest.
   */
  deriveFor(purpose: string): Encryption {
    return new Encryption(this.ring, (key) =>
      Buffer.from(hkdfSync('sha256', this.derive(key), '', purpose, KEY_BYTES)),
    );
  }

  /**
   * Encrypts to text that is safe in a URL. The context is authenticated (additional authenticated data): a value can
   * be decrypted only in the context in which it was encrypted.
   */
  encrypt(text: string, context: string): string {
    const { id, bytes } = this.activeKey;
    const sealed = seal(bytes, Buffer.from(text), context);
    return `${id}.${Buffer.concat(sealed).toString('base64url')}`;
  }

  /**
   * @throws MissingKey if SECRETS_KEYS lacks the key of the value.
   * @throws Error if the value was encrypted for another context, or was changed.
   */
  decrypt(encrypted: string, context: string): string {
    const [keyId = '', sealed = ''] = encrypted.split('.');
    const key = this.findKey(keyId);
    const bytes = Buffer.from(sealed, 'base64url');
    // Node decodes several base64url spellings to the same bytes. Only the spelling that `encrypt` produces is
    // accepted.
    if (encrypted !== `${keyId}.${bytes.toString('base64url')}`) {
      throw new Error('The encrypted value has been altered.');
    }
    return open(key, bytes, context).toString('utf8');
  }

  /** Encrypts bytes as `encrypt` encrypts text. */
  encryptBytes(bytes: Buffer, context: string): Buffer {
    const key = this.activeKey;
    return Buffer.concat([Buffer.from(key.id, 'hex'), ...seal(key.bytes, bytes, context)]);
  }

  /** @throws the same errors as `decrypt`. */
  decryptBytes(encrypted: Buffer, context: string): Buffer {
    const key = this.findKey(encrypted.toString('hex', 0, KEY_ID_BYTES));
    return open(key, encrypted.subarray(KEY_ID_BYTES), context);
  }

  private get activeKey(): Key {
    const { activeId } = this.ring;
    if (activeId === undefined) throw new MissingKey();
    return this.deriveKey(activeId);
  }

  private findKey(id: string): Buffer {
    for (const ringId of this.ring.ids) {
      const key = this.deriveKey(ringId);
      if (key.id === id) return key.bytes;
    }
    throw new MissingKey(id);
  }

  private deriveKey(ringId: string): Key {
    let key = this.keys.get(ringId);
    if (key === undefined) {
      const bytes = this.derive(this.ring.get(ringId));
      key = { id: computeKeyId(bytes), bytes };
      this.keys.set(ringId, key);
    }
    return key;
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
