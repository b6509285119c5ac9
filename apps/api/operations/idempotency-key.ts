import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '#database';
import { DomainError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { resourceHeadersOf, operationOf } from './response-headers.js';
import { serializeJson } from '../json/json-serializer.js';

const HEADER = 'idempotency-key';
const QUOTED_STRING = /^"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"$/;
const VALID_KEY = /^[\x21-\x7e]{1,255}$/;
const EMPTY_BODY = Buffer.alloc(0);

const fingerprints = new WeakMap<FastifyRequest, Buffer>();

// Hashing this much takes 0.1 ms on processors with SHA-256 instructions.
const BYTES_BETWEEN_CHECKPOINTS = 128 * 1024;

/**
 * Computes the fingerprint of a request that has an idempotency key. The body parser calls this function, because
 * nothing else sees the bytes of the body.
 */
export function* fingerprintBody(request: FastifyRequest, body: Buffer): Generator<void> {
  if (!hasIdempotencyKey(request)) return;
  const fingerprint = startFingerprint(request);
  for (let offset = 0; offset < body.length; offset += BYTES_BETWEEN_CHECKPOINTS) {
    fingerprint.update(body.subarray(offset, offset + BYTES_BETWEEN_CHECKPOINTS));
    yield;
  }
  fingerprints.set(request, fingerprint.digest());
}

/**
 * Returns the idempotency key of a request, which ensures that the request takes effect only once
 * (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/). Returns undefined if the request has
 * no such header, or if its route does not accept the header.
 * @throws DomainError `invalid` if the key is malformed.
 */
export function idempotencyKeyOf(
  request: FastifyRequest,
  userId: string,
): IdempotencyKey | undefined {
  const operation = operationOf(request);
  if (operation === undefined || !hasIdempotencyKey(request)) return undefined;
  return {
    userId,
    key: parseKey(String(request.headers[HEADER])),
    fingerprint: fingerprints.get(request) ?? startFingerprint(request).digest(),
    toResponse: (result) => {
      const status = operation.status ?? 200;
      if (result === undefined) return { status, headers: {}, body: EMPTY_BODY };
      const headers = {
        ...resourceHeadersOf(operation, result as object),
        'content-type': 'application/json; charset=utf-8',
      };
      return { status, headers, body: Buffer.from(serializeJson(result)) };
    },
  };
}

const hasIdempotencyKey = (request: FastifyRequest): boolean =>
  request.headers[HEADER] !== undefined && operationOf(request)?.idempotent === true;

const startFingerprint = ({ method, url }: FastifyRequest) =>
  createHash('sha256').update(`${method} ${url}\n`);

/**
 * Parses a structured-field string (RFC 8941, section 3.3.3). Most clients send the key without quotes, which is
 * accepted too.
 */
function parseKey(header: string): string {
  const isQuoted = header.startsWith('"');
  const key = isQuoted ? header.slice(1, -1).replace(/\\(.)/g, '$1') : header;
  if ((isQuoted && !QUOTED_STRING.test(header)) || !VALID_KEY.test(key)) {
    throw DomainError.invalid(
      'Idempotency-Key',
      'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID, with or without quotes around them',
    );
  }
  return key;
}
