import type { FastifyInstance, FastifyReply } from 'fastify';
import helmet, { contentSecurityPolicy } from 'helmet';

export type Directives = Record<string, string[]>;

/** Most responses are JSON for programs. A browser that shows one loads nothing for it and does not frame it. */
const API_POLICY: Directives = { 'default-src': [`'none'`], 'frame-ancestors': [`'none'`] };

// Made once: @fastify/helmet makes this function again for each request, which takes three times as long as
// running it.
const setApiHeaders = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: API_POLICY },
  xFrameOptions: { action: 'deny' },
  // Galley serves plain HTTP. Only the proxy that terminates TLS knows whether all of its ports and
  // subdomains have TLS.
  strictTransportSecurity: false,
  // No current browser reads these headers.
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Adds the headers with which browsers restrict what a response may do. Pages have policies of their own. */
export function addSecurityHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    setApiHeaders(request.raw, reply.raw, () => done());
  });
}

/** Replaces the policy of a response with that of a page, which loads nothing but what `directives` allow. */
export function setPagePolicy(reply: FastifyReply, directives: Directives): void {
  const setPolicy = contentSecurityPolicy({
    useDefaults: false,
    directives: {
      'default-src': [`'none'`],
      ...directives,
      'img-src': [`'self'`, 'data:'],
      'base-uri': [`'none'`],
      'form-action': [`'none'`],
      'frame-ancestors': [`'none'`],
    },
  });
  setPolicy(reply.request.raw, reply.raw, () => undefined);
}
