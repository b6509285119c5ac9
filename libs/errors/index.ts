export { DomainError, MAX_DETAILS, type ErrorDetail } from './domain-error.js';
export { codeOfStatus, errorCodes, type ErrorCode } from './error-codes.js';
export { refuseChanges } from './read-only.js';
export { entityTag, missingAt, requireStates, timesOf, type Precondition } from './precondition.js';
export { StartupError } from './startup-error.js';
