import { errorCodes, type ErrorCode } from './error-codes.js';

/** One problem with the input: where it is, and what to correct. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/**
 * The maximum number of problems in a response. More problems would not help a caller, and the response must stay
 * small.
 */
export const MAX_DETAILS = 20;

/** Details for client programs, which the API sends as headers. */
interface ErrorHints {
  /** The `ETag` header: the current entity tag, for a caller that sent a stale one. */
  entityTag?: string;
  retryAfterSeconds?: number;
  /** The reason in the `WWW-Authenticate` header: the problem with the token of the caller, or the missing role. */
  reason?: string | undefined;
}

/**
 * A service throws this error to refuse a request. The code determines the HTTP status (`errorCodes`). The
 * message is shown to the caller, so it says what to correct and contains no secret.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: readonly ErrorDetail[],
    readonly hints: ErrorHints = {},
  ) {
    super(message);
  }

  static unauthorized = (reason?: string) =>
    new DomainError('unauthorized', errorCodes.unauthorized.message, undefined, { reason });
  /** The token is genuine, but its user or API key is no longer active. */
  static inactive = () =>
    DomainError.unauthorized('The user is deactivated or deleted, or the API key is revoked.');
  static forbidden = (reason: string) =>
    new DomainError('forbidden', errorCodes.forbidden.message, undefined, { reason });
  static notFound = (resourceName: string, details?: readonly ErrorDetail[]) =>
    new DomainError('not_found', `There is no such ${resourceName}.`, details);
  static conflict = (message: string) => new DomainError('conflict', message);
  static stale = (entityTag: string) =>
    new DomainError('stale', errorCodes.stale.message, undefined, { entityTag });
  static unavailable = (message: string) => new DomainError('unavailable', message);
  static invalid = (path: string, message: string) =>
    new DomainError('invalid', message, [{ path, message }]);
}
