import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import helmet, { contentSecurityPolicy } from 'helmet';

export type Directives = Record<string, string[]>;

/**
 * The Content-Security-Policy of JSON responses. A browser that displays a JSON response loads nothing, and no page can
 * frame the response.
 */
const API_POLICY: Directives = { 'default-src': [`'none'`], 'frame-ancestors': [`'none'`] };

/**
 * Headers that restrict how browsers treat a response. They are the same for all API responses, so they are computed
 * once.
 */
export const SECURITY_HEADERS = headersOf(
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: API_POLICY },
    xFrameOptions: { action: 'deny' },
    // Galley serves plain HTTP. Only the proxy that terminates TLS knows whether all of its ports and
    // subdomains have TLS.
    strictTransportSecurity: false,
    // No current browser supports these headers.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
);

/**
 * Replaces the Content-Security-Policy of a response with the policy of a web page. Such a page can load images.
 * `directives` must allow everything else that the page needs.
 */
export function setPagePolicy(reply: FastifyReply, directives: Directives): void {
  const setPolicy = contentSecurityPolicy({
    useDefaults: false,
    directives: {
      'default-src': [`'none'`],
      ...directives,
      'img-src': [`'self'`, 'data:'],
      'base-uri': [`'none'`],
      'form-action': directives['form-action'] ?? [`'none'`],
      'frame-ancestors': [`'none'`],
    },
  });
  void reply.headers(headersOf(setPolicy));
}

type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Runs a middleware of helmet on an empty response, and returns the headers that the middleware has set. */
function headersOf(middleware: Middleware): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, () => undefined);
  return response.getHeaders();
}
