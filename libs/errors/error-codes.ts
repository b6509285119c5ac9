interface ErrorKind {
  /** Of the HTTP answer. */
  status: number;
  /** What it means and what to do, for whoever reads the OpenAPI document. */
  description: string;
  /** What the answer says, where it is always the same. */
  message?: string;
}

/** Every way in which a request can fail. The error filter and the OpenAPI document are made from it. */
export const errorCodes = {
  invalid: {
    status: 400,
    description:
      'Something in the request is wrong. `message` says what, and `details` in which fields. Mend it.',
  },
  unauthorized: {
    status: 401,
    description: 'There is no token or API key, or it is not valid any more. Get a new one.',
    message: 'Unauthorized',
  },
  forbidden: {
    status: 403,
    description: 'It exists, but your role in its workspace does not reach.',
    message: 'Forbidden',
  },
  not_found: {
    status: 404,
    description: 'It does not exist, or no longer.',
    message: 'There is no such route; look at the method and the path.',
  },
  timeout: {
    status: 408,
    description: 'The request did not arrive in time. Send it again.',
    message: 'The request did not arrive in time; send it again.',
  },
  conflict: {
    status: 409,
    description: 'It does not go together with how things are; the message says why.',
  },
  stale: {
    status: 412,
    description: 'Somebody has changed it since you read it; `ETag` is that of its state now.',
    message: 'The resource has changed since you read it; read it again.',
  },
  too_large: {
    status: 413,
    description: 'The body is larger than what is allowed.',
  },
  unsupported_media_type: {
    status: 415,
    description: 'The body is something else than JSON, or is compressed.',
    message: 'The body must be sent as application/json, and not compressed.',
  },
  expectation_failed: {
    status: 417,
    description: 'The `Expect` header asks for something else than `100-continue`.',
    message: 'The only expectation that is met is 100-continue; leave the Expect header out.',
  },
  key_reused: {
    status: 422,
    description:
      'The `Idempotency-Key` was sent before with another path or body. Take a new key for a new request.',
    message:
      'This Idempotency-Key was sent before with another path or body; take a new one for a new request.',
  },
  too_many_requests: {
    status: 429,
    description:
      'Too many requests in a minute or at once, or too many responses that you have not read. Retry after `Retry-After` seconds.',
  },
  headers_too_large: {
    status: 431,
    description: 'The headers and the address are larger than what is allowed.',
    message: 'The headers are too large.',
  },
  internal: {
    status: 500,
    description: 'A fault here. Try again; if it stays, tell us the `x-request-id`.',
    message: 'Something went wrong here. Try again; if it stays, tell us the x-request-id.',
  },
  unavailable: {
    status: 503,
    description:
      'Something that is needed does not answer just now. Try again after `Retry-After` seconds.',
    message: 'Something that is needed does not answer just now; try again later.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorCodes;

const codesByStatus = new Map(
  (Object.keys(errorCodes) as ErrorCode[])
    .reverse()
    .map((code) => [errorCodes[code].status as number, code]),
);

/** For errors of Nest and Fastify, which know only a status. Of several codes the first one counts. */
export const codeOfStatus = (status: number): ErrorCode =>
  codesByStatus.get(status) ?? (status < 500 ? 'invalid' : 'internal');
