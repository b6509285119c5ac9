import { errorCodes, type ErrorCode } from './error-codes.js';

/** One thing that is wrong with the input: where it is, and what to mend. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** More than these help nobody, and an answer is to stay small. */
export const MAX_DETAILS = 20;

/** What a program can go on with. */
interface Hints {
  /** Of the state in which a resource is, for whoever has seen another one. */
  entityTag?: string;
  /** When to come again. */
  retryAfterSeconds?: number;
  /** What is wrong with the caller's token, or which role is missing; for `WWW-Authenticate`. */
  reason?: string | undefined;
}

/**
 * What a service throws when it refuses. It knows nothing of HTTP: the API maps the code to a
 * status (`errorCodes`). The message is shown to the caller, so it says what to mend and holds no secret.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: readonly ErrorDetail[],
    readonly hints: Hints = {},
  ) {
    super(message);
  }

  static unauthorized = (reason?: string) =>
    new DomainError('unauthorized', errorCodes.unauthorized.message, undefined, { reason });
  /** The token is genuine, but its user or API key is not active any more. */
  static inactive = () =>
    DomainError.unauthorized('The user is deactivated or deleted, or the API key is revoked.');
  static forbidden = (reason: string) =>
    new DomainError('forbidden', errorCodes.forbidden.message, undefined, { reason });
  static notFound = (what: string, details?: readonly ErrorDetail[]) =>
    new DomainError('not_found', `There is no such ${what}.`, details);
  static conflict = (message: string) => new DomainError('conflict', message);
  static stale = (entityTag: string) =>
    new DomainError('stale', errorCodes.stale.message, undefined, { entityTag });
  static unavailable = (message: string) => new DomainError('unavailable', message);
  static invalid = (path: string, message: string) =>
    new DomainError('invalid', message, [{ path, message }]);
}
