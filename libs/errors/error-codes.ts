interface ErrorDefinition {
  status: number;
  /** The meaning of the code and what to do, for readers of the OpenAPI document. */
  description: string;
  /** The message of the response, if it is always the same. */
  message?: string;
}

/** Every way in which a request can fail. The error filter and the OpenAPI document use this list. */
export const errorCodes = {
  invalid: {
    status: 400,
    description:
      'The request is not valid. `message` says why, and `details` names the fields to correct.',
  },
  precondition_unsupported: {
    status: 400,
    description:
      'The request would change something, but has an `If-Match` or `If-None-Match` header that the operation does not support. Nothing was changed. Send the request without that header.',
  },
  unauthorized: {
    status: 401,
    description: 'The token or API key is missing or not valid. Get a new one.',
    message: 'Unauthorized',
  },
  forbidden: {
    status: 403,
    description: 'Your role in the workspace does not allow this.',
    message: 'Forbidden',
  },
  not_found: {
    status: 404,
    description: 'The resource does not exist, or no longer exists.',
    message: 'There is no such route; check the method and the path.',
  },
  timeout: {
    status: 408,
    description: 'The request did not arrive in time. Send it again.',
    message: 'The request did not arrive in time; send it again.',
  },
  conflict: {
    status: 409,
    description:
      'The request conflicts with the current state of the resource; `message` says why.',
  },
  already_exists: {
    status: 409,
    description:
      'A resource with this name or `externalId`, or for this user, already exists. Use it, or choose another name, `externalId` or user.',
  },
  in_use: {
    status: 409,
    description:
      'Other resources use this resource, or belong to it. Remove them first, or send `force=true`.',
  },
  in_progress: {
    status: 409,
    description:
      'An earlier request with the same `Idempotency-Key`, or an attempt of the delivery, is still in progress. Send the request again in a moment.',
  },
  still_running: {
    status: 409,
    description: 'A job of the same kind is running. Wait until the job is done, or cancel it.',
  },
  already_finished: {
    status: 409,
    description: 'The job or delivery is already finished, so it cannot be cancelled.',
  },
  limit_reached: {
    status: 409,
    description:
      'A limit is reached; `message` says which. Delete resources that you no longer need, or wait until some expire.',
  },
  last_owner: {
    status: 409,
    description: 'A workspace must have an owner. Make another member an owner first.',
  },
  webhook_disabled: {
    status: 409,
    description: 'The webhook is disabled. Enable the webhook first.',
  },
  checks_failed: {
    status: 409,
    description:
      'The check of the version found errors, and the workspace does not publish versions with errors. `details` names the errors, unless the document cannot be rendered at all.',
  },
  stale: {
    status: 412,
    description: 'The resource has changed since you read it; `ETag` is its current ETag.',
    message: 'The resource has changed since you read it; read it again.',
  },
  too_large: {
    status: 413,
    description: 'The body is larger than the limit.',
  },
  unsupported_media_type: {
    status: 415,
    description: 'The body is not JSON, or is compressed.',
    message: 'The body must be sent as application/json, and not compressed.',
  },
  expectation_failed: {
    status: 417,
    description: 'The `Expect` header asks for something other than `100-continue`.',
    message: 'The only supported expectation is 100-continue; omit the Expect header.',
  },
  key_reused: {
    status: 422,
    description:
      'The `Idempotency-Key` was used before with another path or body. Use a new key for a new request.',
    message:
      'This Idempotency-Key was used before with another path or body; use a new key for a new request.',
  },
  too_many_requests: {
    status: 429,
    description:
      'Too many requests per minute, too many requests at the same time, or too many responses that you have not read. Retry after `Retry-After` seconds.',
  },
  headers_too_large: {
    status: 431,
    description: 'The headers and the URL together are larger than the limit.',
    message: 'The headers are too large.',
  },
  internal: {
    status: 500,
    description:
      'An error in Galley. Retry; if the error persists, report it with its `x-request-id`.',
    message:
      'An internal error occurred. Retry; if the error persists, report it with the x-request-id.',
  },
  unavailable: {
    status: 503,
    description:
      'A service that Galley depends on is unavailable. Retry after `Retry-After` seconds.',
    message: 'A service that Galley depends on is unavailable; retry later.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCodes;

const codeByStatus = new Map(
  (Object.keys(errorCodes) as ErrorCode[])
    .reverse()
    .map((code) => [errorCodes[code].status as number, code]),
);

/**
 * Finds the code for an error of Nest or Fastify, which has only a status. If several codes have this status, the first
 * one in `errorCodes` is used.
 */
export const errorCodeForStatus = (status: number): ErrorCode =>
  codeByStatus.get(status) ?? (status < 500 ? 'invalid' : 'internal');
