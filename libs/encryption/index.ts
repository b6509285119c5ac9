/*
 * Encrypts secrets at rest and values that callers carry, such as cursors, with the active key of `SECRETS_KEYS`, and
 * decrypts with any key of `SECRETS_KEYS`. `libs/key-rotation` decides which key is active. The libs that store
 * encrypted rows know which rows to re-encrypt after a key change.
 */
export { EncryptionModule } from './encryption.module.js';
export { Encryption } from './encryption.js';
export { computeKeyId, KeyRing, MissingKey } from './key-ring.js';
