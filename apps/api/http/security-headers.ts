import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import helmet, { contentSecurityPolicy } from 'helmet';

export type Directives = Record<string, string[]>;

/**
 * Most responses are JSON for programs. A browser that displays such a response must neither load nor frame anything.
 */
const API_POLICY: Directives = { 'default-src': [`'none'`], 'frame-ancestors': [`'none'`] };

/** Restricts how browsers treat a response. The headers are the same for all responses, so they are computed once. */
export const SECURITY_HEADERS = headersOf(
  helmet({
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
  }),
);

/** Replaces the policy of a response with the policy of a page, which loads only images and what `directives` allow. */
export function setPagePolicy(reply: FastifyReply, directives: Directives): void {
  const setPolicy = contentSecurityPolicy({
    useDefaults: false,
    directives: {
      'default-src': [`'none'`],
      'img-src': [`'self'`, 'data:'],
      'base-uri': [`'none'`],
      'form-action': [`'none'`],
      'frame-ancestors': [`'none'`],
      ...directives,
    },
  });
  void reply.headers(headersOf(setPolicy));
}

type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** The headers that helmet sets on a response. */
function headersOf(middleware: Middleware): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, () => undefined);
  return response.getHeaders();
}
