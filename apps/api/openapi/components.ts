import { STATUS_CODES } from 'node:http';
import { getSchemaPath } from '@nestjs/swagger';
import { errorCodes, type ErrorCode } from '#errors';
import { deprecationHeaders } from '../operations/deprecation.js';
import { ApiErrorResponse } from '../http/error.response.js';
import type { OperationOptions } from '../operations/operation.js';
import { errorExampleOf, hasExampleOf } from './examples/error-examples.js';

interface HeaderObject {
  description: string;
  required?: true;
  schema: object;
  example: string;
}

const headers: Record<string, HeaderObject> = {
  'x-request-id': {
    description:
      'Your `x-request-id`, if it is valid (letters, digits, `_`, `.`, `-`; at most 100 characters); otherwise an id that Galley creates.',
    required: true,
    schema: { type: 'string' },
    example: '0b6f1f5e-0c1c-4f9e-8f43-2d1f0e7a5a11',
  },
  ETag: {
    description: 'The ETag of the current state of the resource (RFC 9110, section 8.8.3).',
    required: true,
    schema: { type: 'string', pattern: '^".+"$' },
    example: '"mi6hq0k8"',
  },
  'Cache-Control': {
    description:
      'Responses to `GET` that have an `ETag` may be cached and must be revalidated. The HTML of a version may be cached for a year. No other response may be cached.',
    required: true,
    schema: { type: 'string' },
    example: 'no-store',
  },
  'RateLimit-Policy': {
    description:
      'The number of requests (`q`) that each user, API key and IP address may send in a window of `w` seconds (draft-ietf-httpapi-ratelimit-headers-11).',
    schema: { type: 'string' },
    example: '"address";q=12000;w=60, "user";q=6000;w=60',
  },
  RateLimit: {
    description:
      'The number of requests that are left in the window (`r`), and the seconds until the next window begins (`t`).',
    schema: { type: 'string' },
    example: '"address";r=11998;t=42, "user";r=5998;t=42',
  },
  'Retry-After': {
    description: 'Seconds to wait before you retry.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: '42',
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate (RFC 6750, section 3). If the request had a token or an API key, `error` is `invalid_token` (401) or `insufficient_scope` (403), and `error_description` says what is wrong, or which role is missing.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer ' },
    example:
      'Bearer realm="Galley", error="invalid_token", error_description="The token has expired."',
  },
  Location: {
    description: 'The path of the created resource.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/templates/019aa5c7-3f3e-7c43-9d35-6a2f4be1a7d0',
  },
};

// The examples are in the descriptions, because the reference page would send an `example` as the value of
// the header in every request.
const parameters: Record<string, Pick<HeaderObject, 'description' | 'schema'>> = {
  'If-Match': {
    description:
      'The `ETag` that you have read, such as `"mi6hq0k8"`; or several ETags separated by commas; or `*` for any state. If the resource has changed since you read it, Galley changes nothing and responds with 412. Weak ETags (`W/`) never match.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    description:
      'A unique value that you choose for each request, such as a UUID (`8e03978e-40d5-43e8-bc93-6894a57f9324`): 1 to 255 visible ASCII characters, with or without quotes. The same value from another user or API key is a different key. If you repeat the request within 24 hours with the same key, the same path and the same body, byte for byte, the request has no second effect, and you get the first response again. You must still have the role that the request required: otherwise you get 403, or 404 if you are no longer a member of the workspace. If a request failed, you may correct it and send it with the same key.',
    schema: { type: 'string', minLength: 1 },
  },
  'If-None-Match': {
    description:
      'The `ETag` of the state that you have, such as `"mi6hq0k8"`. If the resource is still in this state, you get 304.',
    schema: { type: 'string' },
  },
};

const IDEMPOTENCY_KEY_ERRORS: Partial<Record<ErrorCode, string>> = {
  in_progress: 'The first request with the same `Idempotency-Key` is still being processed.',
  conflict:
    'The first request with the same `Idempotency-Key` has taken effect, but Galley can no longer read its stored response.',
};

const idempotencyRetryAfter = {
  description:
    'Seconds to wait before you retry. Sent only while the first request with the same `Idempotency-Key` is still being processed.',
  schema: { type: 'integer', minimum: 1 },
  example: '1',
};

export const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });
/** The headers of every response. Health checks have no rate limits and therefore no `RateLimit` headers. */
export const commonHeaderRefs = (isRateLimited: boolean) =>
  headerRefs([
    'x-request-id',
    'Cache-Control',
    ...(isRateLimited ? ['RateLimit-Policy', 'RateLimit'] : []),
  ]);
const headerRefs = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, headerRef(name)]));

export const parameterRef = (name: string) => ({ $ref: `#/components/parameters/${name}` });

const DEPRECATION_HEADER_DESCRIPTIONS = {
  Deprecation: 'The time from which the operation is deprecated (RFC 9745).',
  Sunset: 'The time from which the operation may be removed (RFC 8594).',
  Link: 'The page that says what to use instead of the operation.',
};

/** The headers of all responses of a deprecated operation. Empty for other operations. */
export const deprecationHeadersOf = ({
  deprecated,
}: OperationOptions): Record<string, HeaderObject> => {
  if (deprecated === undefined) return {};
  const values = deprecationHeaders(deprecated);
  const names = ['Deprecation', 'Sunset', 'Link'] as const;
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        description: DEPRECATION_HEADER_DESCRIPTIONS[name],
        required: true,
        schema: { type: 'string' },
        example: values[name],
      },
    ]),
  );
};

/** Creates the response for one status of an operation. `codes` are the errors that have this status. */
export function errorResponseFor(
  codes: readonly [ErrorCode, ...ErrorCode[]],
  operation: OperationOptions,
  isRateLimited: boolean,
) {
  const { id, errors = {}, idempotent, isBatch, deprecated } = operation;
  const code = codes.find((each) => hasExampleOf(each, id)) ?? codes[0];
  const describe = (each: ErrorCode) =>
    [errors[each], idempotent && IDEMPOTENCY_KEY_ERRORS[each]].filter(Boolean).join(' Or: ');
  const ownDescription =
    codes.length === 1
      ? describe(code)
      : codes.map((each) => `\`${each}\`: ${describe(each)}`).join(' ');
  if (ownDescription === '' && deprecated === undefined && isRateLimited) {
    return { $ref: `#/components/responses/${responseNameOf(code)}` } as never;
  }
  const response = errorResponse(code, isRateLimited, id);
  // A batch has no single ETag: `details` names the operations whose ETag is stale.
  if (isBatch) delete response.headers['ETag'];
  return {
    ...response,
    ...(ownDescription && { description: ownDescription }),
    headers: {
      ...response.headers,
      ...(idempotent && codes.includes('in_progress') && { 'Retry-After': idempotencyRetryAfter }),
      ...deprecationHeadersOf(operation),
    },
  };
}

const allCodes = Object.keys(errorCodes) as ErrorCode[];

const ERROR_HEADERS: Partial<Record<ErrorCode, string[]>> = {
  unauthorized: ['WWW-Authenticate'],
  forbidden: ['WWW-Authenticate'],
  stale: ['ETag'],
  too_many_requests: ['Retry-After'],
  unavailable: ['Retry-After'],
};

const errorResponse = (code: ErrorCode, isRateLimited = true, operationId?: string) => ({
  description: descriptionOf(code),
  headers: { ...commonHeaderRefs(isRateLimited), ...headerRefs(ERROR_HEADERS[code] ?? []) },
  content: errorContent(errorExampleOf(code, operationId)),
});

/**
 * Describes an error code together with all other codes of the same status, because an operation has one response per
 * status.
 */
function descriptionOf(code: ErrorCode): string {
  const sameStatus = allCodes.filter(
    (other) => errorCodes[other].status === errorCodes[code].status,
  );
  if (sameStatus.length === 1) return errorCodes[code].description;
  return sameStatus.map((each) => `\`${each}\`: ${errorCodes[each].description}`).join(' ');
}

const errorContent = (example: object) => ({
  'application/json': { schema: { $ref: getSchemaPath(ApiErrorResponse) }, example },
});

/** Returns, for example, `NotFound` for a code with the status 404. */
const responseNameOf = (code: ErrorCode): string =>
  (STATUS_CODES[errorCodes[code].status] ?? code).replace(/\W/g, '');

// These errors have no shared response. Requests that fail with the first three never reach a handler, and
// `precondition_unsupported` shares the status and the response of `invalid`.
const WITHOUT_SHARED_RESPONSE: readonly ErrorCode[] = [
  'timeout',
  'expectation_failed',
  'headers_too_large',
  'precondition_unsupported',
];
const CONFLICT_STATUS = errorCodes.conflict.status;
const sharedErrorCodes = allCodes.filter(
  // Each operation describes its own conflicts.
  (code) => errorCodes[code].status !== CONFLICT_STATUS && !WITHOUT_SHARED_RESPONSE.includes(code),
);

/** The components that operations share. */
export const components = {
  headers,
  parameters: Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      { name, in: 'header' as const, ...parameter },
    ]),
  ),
  responses: Object.fromEntries(
    sharedErrorCodes.map((code) => [responseNameOf(code), errorResponse(code)]),
  ),
};
