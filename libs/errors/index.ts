export { DomainError, type ErrorCode, type ErrorDetail } from './domain-error.js';
export { refuseChanges } from './read-only.js';
export { entityTag, requireState, type Precondition } from './precondition.js';
