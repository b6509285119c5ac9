/*
 * Decides which key of SECRETS_KEYS encrypts new data. All programs agree on the key through PostgreSQL, so a rotation
 * is safe whatever the order of restarts (docs/adr/0031). After a promotion, the worker makes `libs/webhooks`
 * re-encrypt the stored secrets.
 */
export { inspectKeys, type RunningProgram, type StoredKey } from './inspect-keys.js';
export { KEY_ROTATION_TIMES, KeyRotation } from './key-rotation.js';
export { KeyRotationModule } from './key-rotation.module.js';
