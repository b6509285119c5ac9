/*
 * Which key of SECRETS_KEYS encrypts. All programs agree on that through PostgreSQL, so that a rotation does no
 * harm in any order of restarts (docs/adr/0031). `libs/webhooks` encrypts stored secrets again after a promotion,
 * and a worker says when.
 */
export { inspectKeys, type RunningProgram, type StoredKey } from './inspect-keys.js';
export { KEY_ROTATION_TIMES, KeyRotation } from './key-rotation.js';
export { KeyRotationModule } from './key-rotation.module.js';
