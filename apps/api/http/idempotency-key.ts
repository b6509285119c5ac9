import { createHash } from 'node:crypto';
import type { Once } from '#database';
import { DomainError } from '#errors';
import type { FastifyRequest } from 'fastify';
import { headersOf, operationOf } from './answer-headers.js';
import { printJson } from './json-reply.js';

const HEADER = 'idempotency-key';
const QUOTED = /^"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"$/;
const KEY = /^[\x21-\x7e]{1,255}$/;
const NO_BODY = Buffer.alloc(0);

const fingerprints = new WeakMap<FastifyRequest, Buffer>();

// Take 0.1 ms where the processor has instructions for SHA-256.
const BYTES_BETWEEN_CHECKPOINTS = 128 * 1024;

/** Takes the fingerprint of a request with a key while the bytes of its body are at hand. */
export function* noteBody(request: FastifyRequest, body: Buffer): Generator<void> {
  if (!isOnce(request)) return;
  const fingerprint = startFingerprint(request);
  for (let at = 0; at < body.length; at += BYTES_BETWEEN_CHECKPOINTS) {
    fingerprint.update(body.subarray(at, at + BYTES_BETWEEN_CHECKPOINTS));
    yield;
  }
  fingerprints.set(request, fingerprint.digest());
}

/**
 * What makes a request with an `Idempotency-Key` have one effect
 * (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/). Undefined for one
 * without, and where the route takes none.
 * @throws DomainError `invalid` for what is no key.
 */
export function onceOf(request: FastifyRequest, userId: string): Once | undefined {
  const operation = operationOf(request);
  if (operation === undefined || !isOnce(request)) return undefined;
  return {
    userId,
    key: keyIn(String(request.headers[HEADER])),
    fingerprint: fingerprints.get(request) ?? startFingerprint(request).digest(),
    answer: (result) => {
      const status = operation.status ?? 200;
      if (result === undefined) return { status, headers: {}, body: NO_BODY };
      const headers = {
        ...headersOf(operation, result as object),
        'content-type': 'application/json; charset=utf-8',
      };
      return { status, headers, body: Buffer.from(printJson(result)) };
    },
  };
}

const isOnce = (request: FastifyRequest): boolean =>
  request.headers[HEADER] !== undefined && operationOf(request)?.once === true;

const startFingerprint = ({ method, url }: FastifyRequest) =>
  createHash('sha256').update(`${method} ${url}\n`);

/** A string of RFC 8941, section 3.3.3, or, as most clients send it, the same without quotes. */
function keyIn(header: string): string {
  const isQuoted = header.startsWith('"');
  const key = isQuoted ? header.slice(1, -1).replace(/\\(.)/g, '$1') : header;
  if ((isQuoted && !QUOTED.test(header)) || !KEY.test(key)) {
    throw DomainError.invalid(
      'Idempotency-Key',
      'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID, with or without quotes around them',
    );
  }
  return key;
}
