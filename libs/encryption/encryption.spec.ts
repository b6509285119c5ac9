import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Encryption } from './encryption.js';
import { KeyRing, MissingKey } from './key-ring.js';

function encryptionWith(...keys: Buffer[]): Encryption {
  const ring = new KeyRing(keys);
  ring.activate(ring.ids[0]);
  return new Encryption(ring);
}

describe('encrypted values', () => {
  const encryption = encryptionWith(randomBytes(32));
  const secret = 'whsec_Grüße';

  it('decrypt to the original text, and differ for each encryption', () => {
    const [first, second] = [encryption.encrypt(secret, 'a'), encryption.encrypt(secret, 'a')];
    expect(first).not.toBe(second);
    expect(encryption.decrypt(first, 'a')).toBe(secret);
  });

  it('can be decrypted only in their own context', () => {
    expect(() => encryption.decrypt(encryption.encrypt(secret, 'a'), 'b')).toThrow();
  });

  it('cannot be decrypted after a change', () => {
    const [keyId, sealed = ''] = encryption.encrypt(secret, 'a').split('.');
    const bytes = Buffer.from(sealed, 'base64url');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    expect(() => encryption.decrypt(`${keyId}.${bytes.toString('base64url')}`, 'a')).toThrow();
  });

  it('have the same properties if they are bytes', () => {
    const bytes = randomBytes(100_000);
    const encrypted = encryption.encryptBytes(bytes, 'a');
    expect(encryption.decryptBytes(encrypted, 'a')).toEqual(bytes);
    expect(encryption.encryptBytes(bytes, 'a')).not.toEqual(encrypted);
    expect(() => encryption.decryptBytes(encrypted, 'b')).toThrow();
    for (const offset of [4, 50_000, encrypted.length - 1]) {
      const changed = Buffer.from(encrypted);
      changed[offset] = (changed[offset] ?? 0) ^ 1;
      expect(() => encryption.decryptBytes(changed, 'a')).toThrow();
    }
    const oldKey = randomBytes(32);
    const old = encryptionWith(oldKey).encryptBytes(bytes, 'a');
    const encryptionWithBothKeys = encryptionWith(randomBytes(32), oldKey);
    expect(encryptionWithBothKeys.decryptBytes(old, 'a')).toEqual(bytes);
    expect(() => encryption.decryptBytes(old, 'a')).toThrow(MissingKey);
  });

  it('have exactly one spelling, which is safe in a URL', () => {
    const encrypted = encryption.encrypt(secret, 'a');
    expect(encrypted).toMatch(/^[\w.-]+$/);
    const [keyId, sealed = ''] = encrypted.split('.');
    const otherAlphabet = `${keyId}.${Buffer.from(sealed, 'base64url').toString('base64')}`;
    for (const wrong of [
      `${encrypted}.`,
      `${encrypted}\n`,
      ` ${encrypted}`,
      `${encrypted}A`,
      otherAlphabet,
    ]) {
      expect(() => encryption.decrypt(wrong, 'a')).toThrow();
    }
  });

  it('can be decrypted only for their own purpose', () => {
    const cursors = encryption.deriveFor('cursors');
    expect(cursors.decrypt(cursors.encrypt(secret, 'a'), 'a')).toBe(secret);
    expect(() => encryption.decrypt(cursors.encrypt(secret, 'a'), 'a')).toThrow();
    expect(() => cursors.decrypt(encryption.encrypt(secret, 'a'), 'a')).toThrow();
    const others = encryption.deriveFor('others');
    expect(() => others.decrypt(cursors.encrypt(secret, 'a'), 'a')).toThrow();
  });

  it('cannot be decrypted without their key', () => {
    const encrypted = encryption.encrypt(secret, 'a');
    expect(() => encryptionWith(randomBytes(32)).decrypt(encrypted, 'a')).toThrow(MissingKey);
  });

  it('can be decrypted with an earlier key', () => {
    const [oldKey, current] = [randomBytes(32), randomBytes(32)];
    const encrypted = encryptionWith(oldKey).encrypt(secret, 'a');
    const encryptionWithBothKeys = encryptionWith(current, oldKey);
    expect(encryptionWithBothKeys.decrypt(encrypted, 'a')).toBe(secret);
    expect(encryptionWith(current).decrypt(encryptionWithBothKeys.encrypt(secret, 'a'), 'a')).toBe(
      secret,
    );
    const cursor = encryptionWith(oldKey).deriveFor('cursors').encrypt(secret, 'a');
    expect(encryptionWithBothKeys.deriveFor('cursors').decrypt(cursor, 'a')).toBe(secret);
  });

  it('are encrypted with the active key, whatever its position', () => {
    const keys = [randomBytes(32), randomBytes(32)];
    const ring = new KeyRing(keys);
    const cursors = new Encryption(ring).deriveFor('cursors');
    expect(() => cursors.encrypt(secret, 'a')).toThrow(MissingKey);
    for (const [index, id] of ring.ids.entries()) {
      ring.activate(id);
      const encrypted = new Encryption(ring).encrypt(secret, 'a');
      expect(encryptionWith(keys[index] as Buffer).decrypt(encrypted, 'a')).toBe(secret);
      const cursor = cursors.encrypt(secret, 'a');
      expect(
        encryptionWith(keys[index] as Buffer)
          .deriveFor('cursors')
          .decrypt(cursor, 'a'),
      ).toBe(secret);
    }
    ring.activate(undefined);
    expect(() => new Encryption(ring).encryptBytes(Buffer.from(secret), 'a')).toThrow(MissingKey);
  });
});
