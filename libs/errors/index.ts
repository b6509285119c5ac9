/*
 * The errors that services throw, for callers of the HTTP API. As with Fastify's errors, each code carries
 * its HTTP status and, if its message is always the same, the message. The response itself, with its
 * headers, is made by the error filter of `apps/api`.
 */
export { DomainError, MAX_DETAILS, type ErrorDetail } from './domain-error.js';
export { errorCodeForStatus, errorCodes, type ErrorCode } from './error-codes.js';
export { rejectReadOnlyChanges } from './read-only-fields.js';
export {
  entityTag,
  missingDetail,
  requireMatchingTargets,
  parsePrecondition,
  type Precondition,
} from './precondition.js';
export { StartupError } from './startup-error.js';
