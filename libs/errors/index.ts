/*
 * The errors with which services refuse requests. As with Fastify's errors, each code has its HTTP status and, if the
 * message never varies, its message. The error filter of `apps/api` turns these errors into responses.
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
