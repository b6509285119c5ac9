/*
 * Encrypts secrets at rest and values that callers carry, such as cursors, with `SECRETS_KEY`, and decrypts
 * what earlier keys have encrypted. Which rows to encrypt again after a change of keys is known to the libs
 * that store them.
 */
export { EncryptionModule } from './encryption.module.js';
export { Encryption } from './encryption.js';
