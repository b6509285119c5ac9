import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { ApiConfig } from '#config';
import { inSlices } from '#database';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operationOf } from '../http/answer-headers.js';
import { noteBody } from '../http/idempotency-key.js';
import type { Operation } from '../http/operation.js';
import { readBatchBody, readBody } from './json-body.js';

// An identity provider may send its messages as the latter.
const JSON_TYPES = ['application/json', 'application/cloudevents+json'];

type Limits = Pick<ApiConfig, 'MAX_BODY_BYTES' | 'MAX_BATCH_BYTES' | 'MAX_NESTING'>;

/** Lets Fastify read and check JSON bodies, large ones in slices. To be called before there are routes. */
export function parseBodies(fastify: FastifyInstance, limits: Limits): void {
  fastify.addHook('onRoute', (route) => {
    const { operation } = (route.config ?? {}) as { operation?: Operation };
    if (operation?.isBatch) route.bodyLimit = limits.MAX_BATCH_BYTES;
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
        throw new UnsupportedMediaTypeException();
      }
      const read = inSlices(readRequest(request, body as Buffer, limits));
      if (read instanceof Promise) read.then((value) => done(null, value), done);
      else done(null, read);
    } catch (error) {
      done(error as Error);
    }
  });
}

function* readRequest(
  request: FastifyRequest,
  bytes: Buffer,
  { MAX_NESTING, MAX_BODY_BYTES }: Limits,
): Generator<void, unknown> {
  yield* noteBody(request, bytes);
  const { keepsBody, isBatch } = operationOf(request) ?? {};
  // Routes that keep the bytes verify them first, and have rules of their own for what they hold.
  if (keepsBody) return bytes;
  return isBatch
    ? yield* readBatchBody(bytes, MAX_NESTING, MAX_BODY_BYTES)
    : yield* readBody(bytes, MAX_NESTING);
}
