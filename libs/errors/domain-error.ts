export type ErrorCode =
  'invalid' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'stale' | 'unavailable';

/** One thing that is wrong with the input: where it is, and what to mend. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/**
 * What a service throws when it refuses. It knows nothing of HTTP: the API maps the code to a
 * status. The message is shown to the caller, so it says what to mend and holds no secret.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: readonly ErrorDetail[],
    /** Of the state in which a resource is, for whoever has seen another one. */
    readonly entityTag?: string,
  ) {
    super(message);
  }

  static unauthorized = () => new DomainError('unauthorized', 'Unauthorized');
  static forbidden = () => new DomainError('forbidden', 'Forbidden');
  static notFound = (what: string) => new DomainError('not_found', `There is no such ${what}.`);
  static conflict = (message: string) => new DomainError('conflict', message);
  static stale = (entityTag: string) =>
    new DomainError(
      'stale',
      'The resource has changed since you read it; read it again.',
      undefined,
      entityTag,
    );
  static unavailable = (message: string) => new DomainError('unavailable', message);
  static invalid = (path: string, message: string) =>
    new DomainError('invalid', message, [{ path, message }]);
}
