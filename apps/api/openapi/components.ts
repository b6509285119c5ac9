import { STATUS_CODES } from 'node:http';
import { getSchemaPath } from '@nestjs/swagger';
import { errorCodes, type ErrorCode } from '#errors';
import { deprecationHeaders } from '../http/deprecation.js';
import { ApiErrorAnswer } from '../http/error.answer.js';
import type { Operation } from '../http/operation.js';
import { errorExampleOf } from './error-examples.js';

interface Header {
  description: string;
  required?: true;
  schema: object;
  example: string;
}

const headers: Record<string, Header> = {
  'x-request-id': {
    description:
      "Your own `x-request-id` where you have sent a usable one (letters, digits, `_`, `.`, `-`; 100 at most), else one of Galley's.",
    ...{
      required: true,
      schema: { type: 'string' },
      example: '0b6f1f5e-0c1c-4f9e-8f43-2d1f0e7a5a11',
    },
  },
  ETag: {
    description: 'The entity tag of the state of the resource (RFC 9110, section 8.8.3).',
    ...{ required: true, schema: { type: 'string', pattern: '^".+"$' } },
    example: '"mi6hq0k8"',
  },
  'Cache-Control': {
    description:
      'What `GET` answers with an `ETag` may be kept, and used after asking whether it still holds; nothing else may.',
    ...{ required: true, schema: { type: 'string' }, example: 'no-store' },
  },
  'RateLimit-Policy': {
    description:
      'How many requests (`q`) there may be in how many seconds (`w`), of each user or API key and from each address (draft-ietf-httpapi-ratelimit-headers-11).',
    ...{ schema: { type: 'string' }, example: '"address";q=12000;w=60, "user";q=6000;w=60' },
  },
  RateLimit: {
    description: 'How many are left (`r`), and in how many seconds it begins anew (`t`).',
    ...{ schema: { type: 'string' }, example: '"address";r=11998;t=42, "user";r=5998;t=42' },
  },
  'Retry-After': {
    description: 'In how many seconds to come again.',
    ...{ required: true, schema: { type: 'integer', minimum: 1 }, example: '42' },
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate (RFC 6750, section 3). If the request had a token or an API key, `error` is `invalid_token` (401) or `insufficient_scope` (403), and `error_description` says what is wrong with it, or which role is missing.',
    ...{ required: true, schema: { type: 'string', pattern: '^Bearer ' } },
    example:
      'Bearer realm="Galley", error="invalid_token", error_description="The token has expired."',
  },
  Location: {
    description: 'The path of what was made.',
    ...{ required: true, schema: { type: 'string', format: 'uri-reference' } },
    example: '/api/templates/019aa5c7-3f3e-7c43-9d35-6a2f4be1a7d0',
  },
};

// Their examples are in the descriptions: the page would send an `example` with every request.
const parameters: Record<string, Pick<Header, 'description' | 'schema'>> = {
  'If-Match': {
    description:
      'The `ETag` of the state that you have read, such as `"mi6hq0k8"`, several with commas between, or `*` for any. When somebody has changed it since, nothing is done and you get 412. Tags with `W/` are never that of a state.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    description:
      'A new one of your own for each request, such as a UUID (`8e03978e-40d5-43e8-bc93-6894a57f9324`): 1 to 255 visible ASCII characters, with or without quotes around them. It is yours: that of another user or API key is another one. When you send the request again within 24 hours, with the same key, path and body, byte by byte, it has no second effect and gets the first answer again, as long as you still have the role that the request took (else 403, or 404 without its workspace). A request that failed may be sent again with the same key, and mended.',
    schema: { type: 'string', minLength: 1 },
  },
  'If-None-Match': {
    description:
      'The `ETag` of the state that you have, such as `"mi6hq0k8"`; while it is that, you get 304.',
    schema: { type: 'string' },
  },
};

const KEY_CONFLICT =
  'The first request with the same `Idempotency-Key` is still being carried out, or its answer can no longer be read.';

const retryAfterOfKey = {
  description:
    'In how many seconds to come again. Only while the first request with the same `Idempotency-Key` is still being carried out.',
  ...{ schema: { type: 'integer', minimum: 1 }, example: '1' },
};

export const headerOf = (name: string) => ({ $ref: `#/components/headers/${name}` });
/** Of every answer; health checks are not counted. */
export const headersOfAll = (isCounted: boolean) =>
  referTo([
    'x-request-id',
    'Cache-Control',
    ...(isCounted ? ['RateLimit-Policy', 'RateLimit'] : []),
  ]);
const referTo = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, headerOf(name)]));

export const parameterOf = (name: string) => ({ $ref: `#/components/parameters/${name}` });

const deprecationDescriptions = {
  Deprecation: 'From when on nobody should begin to use it (RFC 9745).',
  Sunset: 'When it may be gone (RFC 8594).',
  Link: 'Where to read what to use instead.',
};

/** They stand with each operation that is deprecated, for they are another day's everywhere. */
export const deprecationHeadersOf = ({ deprecated }: Operation): Record<string, Header> => {
  if (deprecated === undefined) return {};
  const values = deprecationHeaders(deprecated);
  const names = ['Deprecation', 'Sunset', 'Link'] as const;
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        ...{ description: deprecationDescriptions[name], required: true },
        ...{ schema: { type: 'string' }, example: values[name] },
      },
    ]),
  );
};

/** The answer to a request that fails so. What means something of its own is told in the operation's own words. */
export function responseOf(code: ErrorCode, operation: Operation, isCounted: boolean) {
  const { id, errors = {}, once, isBatch, deprecated } = operation;
  const ownWords = [errors[code], code === 'conflict' && once && KEY_CONFLICT]
    .filter(Boolean)
    .join(' ');
  if (ownWords === '' && deprecated === undefined && isCounted) {
    return { $ref: `#/components/responses/${nameOf(code)}` } as never;
  }
  const response = errorResponse(code, isCounted);
  // Of the many that a batch may be about, `details` name those that are stale.
  if (isBatch) delete response.headers['ETag'];
  return {
    ...response,
    ...(ownWords && { description: ownWords }),
    headers: {
      ...response.headers,
      ...(code === 'conflict' && once && { 'Retry-After': retryAfterOfKey }),
      ...deprecationHeadersOf(operation),
    },
    content: contentOf(errorExampleOf(code, id)),
  };
}

const HEADERS_OF_ERRORS: Partial<Record<ErrorCode, string[]>> = {
  unauthorized: ['WWW-Authenticate'],
  forbidden: ['WWW-Authenticate'],
  stale: ['ETag'],
  too_many_requests: ['Retry-After'],
  unavailable: ['Retry-After'],
};

const errorResponse = (code: ErrorCode, isCounted = true) => ({
  description: errorCodes[code].description,
  headers: { ...headersOfAll(isCounted), ...referTo(HEADERS_OF_ERRORS[code] ?? []) },
  content: contentOf(errorExampleOf(code)),
});

const contentOf = (example: object) => ({
  'application/json': { schema: { $ref: getSchemaPath(ApiErrorAnswer) }, example },
});

/** `Not Found` → `NotFound`. */
const nameOf = (code: ErrorCode): string =>
  (STATUS_CODES[errorCodes[code].status] ?? code).replace(/\W/g, '');

const answered = (Object.keys(errorCodes) as ErrorCode[]).filter(
  // The first two end before there is a route; a conflict has its own words everywhere.
  (code) => !['timeout', 'expectation_failed', 'headers_too_large', 'conflict'].includes(code),
);

/** What operations share. */
export const components = {
  headers,
  parameters: Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      { name, in: 'header' as const, ...parameter },
    ]),
  ),
  responses: Object.fromEntries(answered.map((code) => [nameOf(code), errorResponse(code)])),
};
