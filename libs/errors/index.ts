/*
 * The errors that services throw, for callers of the HTTP API. As with Fastify's errors, each code carries its HTTP
 * status and, if its message is always the same, the message. The error filter of `apps/api` turns these errors into
 * responses.
 */
export { DomainError, MAX_DETAILS, type ErrorDetail } from './domain-error.js';
export { errorCodeForStatus, errorCodes, type ErrorCode } from './error-codes.js';
export { rejectReadOnlyChanges } from './read-only-fields.js';
export {
  contentTag,
  withEncoding,
  entityTag,
  missingDetail,
  requireMatchingTag,
  requireMatchingTargets,
  parsePrecondition,
  stripEncoding,
  type Precondition,
} from './precondition.js';
export { StartupError } from './startup-error.js';
