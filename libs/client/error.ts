import type { ApiError, ErrorCode, ErrorDetail } from './generated/index.js';
import { parseRetryAfter } from './retries.js';

/** Galley's error codes, and the client's own codes for failures without an error response from Galley. */
export type GalleyErrorCode =
  | ErrorCode
  /** The response to `If-None-Match`: the resource has not changed. */
  | 'not_modified'
  /** The response did not come from Galley: for example, an error page from a proxy, or truncated JSON. */
  | 'unexpected_response'
  /** There was no response: Galley cannot be reached, or the connection broke. `cause` says more. */
  | 'connection_failed'
  /** The response was not complete within `timeoutMs`, or before the timeout of your own signal. */
  | 'timed_out'
  /** Your own signal aborted the request. */
  | 'aborted';

interface GalleyErrorInit {
  statusCode?: number | undefined;
  code: GalleyErrorCode;
  message: string;
  details?: readonly ErrorDetail[] | undefined;
  response?: Response | undefined;
  cause?: unknown;
}

/** Thrown if the last attempt of a request fails. */
export class GalleyError extends Error {
  override readonly name = 'GalleyError';
  /** The status of the response; undefined if there is no response. */
  readonly statusCode: number | undefined;
  /** A stable code for programs. A later release of Galley may send codes that this type does not name. */
  readonly code: GalleyErrorCode;
  /** The problems with the input, field by field; empty for other errors. */
  readonly details: readonly ErrorDetail[];
  /** The id of the request in Galley's logs. Include it in a bug report. */
  readonly requestId: string | undefined;
  /** The number of seconds to wait before a retry; undefined if the response has no valid `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor({ statusCode, code, message, details = [], response, cause }: GalleyErrorInit) {
    super(message, cause === undefined ? {} : { cause });
    this.statusCode = statusCode ?? response?.status;
    this.code = code;
    this.details = details;
    this.requestId = response?.headers.get('x-request-id') ?? undefined;
    this.retryAfter = response && parseRetryAfter(response);
  }
}

/**
 * An error interceptor. The generated client throws the bodies of error responses and the errors of `fetch`. This
 * function converts both to `GalleyError`s.
 */
export function toGalleyError(
  error: unknown,
  response: Response | undefined,
  request: Request | undefined,
): unknown {
  // The request was never sent, because the URL is invalid or the `auth` function failed.
  if (request === undefined) return error;
  if (response === undefined) return errorWithoutResponse(error, request);
  const { status } = response;
  if (isApiError(error)) return new GalleyError({ ...error, response });
  if (status === 304) {
    const message = 'The resource has not changed: the ETag in If-None-Match is still current.';
    return new GalleyError({ code: 'not_modified', message, response });
  }
  return new GalleyError({
    code: 'unexpected_response',
    message: `The response with status ${status} did not come from Galley. Check baseUrl, and any proxy in front of Galley.`,
    response,
    cause: error,
  });
}

function errorWithoutResponse(cause: unknown, { method, url, signal }: Request): GalleyError {
  const requestLine = `${method} ${new URL(url).pathname}`;
  if ((cause as Error | undefined)?.name === 'TimeoutError') {
    const message = `${requestLine} timed out. Galley may still have carried out the request.`;
    return new GalleyError({ code: 'timed_out', message, cause });
  }
  if (signal.aborted) {
    return new GalleyError({ code: 'aborted', message: `${requestLine} was aborted.`, cause });
  }
  const message = `${requestLine} got no response: the connection failed. Check baseUrl and the network.`;
  return new GalleyError({ code: 'connection_failed', message, cause });
}

const isApiError = (body: unknown): body is ApiError =>
  typeof body === 'object' && body !== null && 'code' in body && 'statusCode' in body;
