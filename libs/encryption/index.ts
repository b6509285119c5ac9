/*
 * Encrypts secrets at rest and values that callers carry, such as cursors, with `SECRETS_KEY`, and decrypts
 * what earlier keys have encrypted. The libs that store encrypted rows know which rows to encrypt again
 * after a change of keys.
 */
export { EncryptionModule } from './encryption.module.js';
export { Encryption } from './encryption.js';
