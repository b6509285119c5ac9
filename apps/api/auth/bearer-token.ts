import type { FastifyRequest } from 'fastify';
import { ExtractJwt } from 'passport-jwt';

const fromHeader = ExtractJwt.fromAuthHeaderAsBearerToken();

/** The token or API key that a request carries; empty when it has none. */
export const bearerToken = (request: Pick<FastifyRequest, 'headers'>): string =>
  fromHeader(request as Parameters<typeof fromHeader>[0]) ?? '';
