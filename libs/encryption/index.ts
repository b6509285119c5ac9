/*
 * Encrypts secrets at rest and values that callers carry, such as cursors, with the active key of
 * `SECRETS_KEYS`, and decrypts with all of these keys. `libs/key-rotation` decides which key is active. The
 * libs that store encrypted rows know which rows to encrypt again after a change of keys.
 */
export { EncryptionModule } from './encryption.module.js';
export { Encryption } from './encryption.js';
export { computeKeyId, KeyRing, MissingKey } from './key-ring.js';
