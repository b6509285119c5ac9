import { MAX_DETAILS } from '#errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { validationError, requireObject, unknownField } from './dto.js';
import type { TakenInputs } from './inputs.js';

/**
 * Refuses a query or body on routes that take none. Otherwise, a caller could rely on input that has no
 * effect, such as `?dryRun=true`. Public routes accept any query and body, because their callers, such as
 * load balancers, cannot be changed.
 */
export function refuseUnknownFields(fastify: FastifyInstance): void {
  fastify.addHook('preHandler', (request, _reply, done) => {
    const inputs = checkedInputsOf(request);
    if (inputs !== undefined) {
      const violations = [
        ...(inputs.query ? [] : findUnknown(request.query, true)),
        ...(inputs.body ? [] : findUnknown(request.body, false)),
      ];
      if (violations.length > 0) throw validationError(violations);
    }
    done();
  });
}

const checkedInputsOf = ({ routeOptions }: FastifyRequest): TakenInputs | undefined =>
  (routeOptions.config as { inputs?: TakenInputs }).inputs;

const findUnknown = (value: unknown, isQuery: boolean) =>
  Object.keys(requireObject(value))
    .slice(0, MAX_DETAILS)
    .map((name) => unknownField(name, isQuery));
