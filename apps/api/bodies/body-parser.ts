import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { ApiConfig } from '#config';
import { joinBuffers, runInSlices } from '#time-slices';
import { DomainError } from '#errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operationOf } from '../operations/response-headers.js';
import { fingerprintBody } from '../operations/idempotency-key.js';
import type { OperationOptions } from '../operations/operation.js';
import { collectChunks } from './body-bytes.js';
import { FORM_BYTES, uploadTooLarge } from './upload-limits.js';
import { readBatchBody, readBody } from '../json/json-body.js';

const FORM_MEDIA_TYPE = 'multipart/form-data';
// Identity providers may send their messages as CloudEvents.
const JSON_MEDIA_TYPES = ['application/json', 'application/cloudevents+json'];

type BodyLimits = Pick<
  ApiConfig,
  'MAX_BODY_BYTES' | 'MAX_BATCH_BYTES' | 'MAX_ASSET_BYTES' | 'MAX_NESTING'
>;

/**
 * Makes Fastify parse JSON bodies, in slices if they are large. Forms with files are left to their handlers, which read
 * them as streams. Must be called before routes are added.
 */
export function parseBodies(fastify: FastifyInstance, limits: BodyLimits): void {
  fastify.addHook('onRoute', (route) => {
    const { operation } = (route.config ?? {}) as { operation?: OperationOptions };
    if (operation?.isBatch) route.bodyLimit = limits.MAX_BATCH_BYTES;
    if (operation?.upload) route.bodyLimit = limits.MAX_ASSET_BYTES + FORM_BYTES;
  });
  fastify.addHook('preParsing', (request, _reply, _payload, done) => {
    done(operationOf(request)?.upload ? findFormProblem(request) : undefined);
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(FORM_MEDIA_TYPE, (request, _payload, done) => {
    // Other routes must not mistake an unread body for none.
    done(operationOf(request)?.upload ? null : new UnsupportedMediaTypeException(), undefined);
  });
  fastify.addContentTypeParser(JSON_MEDIA_TYPES, (request, _payload, done) => {
    collectChunks(request, (failure, chunks) => {
      try {
        if (failure !== undefined) throw failure;
        if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
          throw new UnsupportedMediaTypeException();
        }
        const parsed = runInSlices(readRequestBody(request, chunks, limits));
        if (parsed instanceof Promise) parsed.then((value) => done(null, value), done);
        else done(null, parsed);
      } catch (error) {
        done(error as Error);
      }
    });
  });
}

/** Refuses what is no form, and a form that is too large, before the body is read. */
function findFormProblem({ headers, routeOptions }: FastifyRequest): Error | undefined {
  const isForm = headers['content-type']?.toLowerCase().startsWith(FORM_MEDIA_TYPE);
  if (!isForm || (headers['content-encoding'] ?? 'identity') !== 'identity') {
    return new DomainError(
      'unsupported_media_type',
      `The body must be sent as ${FORM_MEDIA_TYPE}, and not compressed.`,
    );
  }
  return Number(headers['content-length'] ?? 0) > routeOptions.bodyLimit
    ? uploadTooLarge(routeOptions.bodyLimit)
    : undefined;
}

function* readRequestBody(
  request: FastifyRequest,
  chunks: readonly Buffer[],
  { MAX_NESTING, MAX_BODY_BYTES }: BodyLimits,
): Generator<void, unknown> {
  const bytes = yield* joinBuffers(chunks);
  yield* fingerprintBody(request, bytes);
  const { rawBody, isBatch } = operationOf(request) ?? {};
  // A route with a raw body verifies the signature of the bytes first, and validates the content by its own rules.
  if (rawBody) return bytes;
  return isBatch
    ? yield* readBatchBody(bytes, MAX_NESTING, MAX_BODY_BYTES)
    : yield* readBody(bytes, MAX_NESTING);
}
