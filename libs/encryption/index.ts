/*
 * Encrypts secrets at rest, and values that callers send back, such as cursors. The active key of `SECRETS_KEYS`
 * encrypts new values. Every key of `SECRETS_KEYS` decrypts the values that it has encrypted. `libs/key-rotation`
 * decides which key is active. The libs that store encrypted rows know which rows to re-encrypt after a key change.
 */
export { EncryptionModule } from './encryption.module.js';
export { Encryption } from './encryption.js';
export { computeKeyId, KeyRing, MissingKey } from './key-ring.js';
