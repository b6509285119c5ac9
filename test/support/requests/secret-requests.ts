import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { created } from '../identity/clerk.js';

/** Every secret contains this text, which no encoding in HTTP changes. */
export const MARK = 'hush';

const CRLF = '\r\n';
const JSON_TYPE = 'content-type: application/json';
const METHODS = ['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
const TARGETS = [
  '/',
  '//',
  `//${MARK}`,
  `//galley.test/${MARK}?token=${MARK}`,
  `///${MARK}`,
  `/${MARK}`,
  `/api/${MARK}`,
  `/api/templates/${MARK}?${MARK}=${MARK}`,
  `/api//templates?${MARK}`,
  '*',
  `/api/templates?workspaceId=${MARK}&search=${MARK}`,
  `/%zz${MARK}`,
  `/%2f%2f${MARK}`,
  `/api/templates/%E0%A4%A${MARK}`,
  `/docs/${MARK}`,
  `/docs/../${MARK}`,
  `/health/${MARK}`,
  `http://ada:${MARK}@galley.test/api/auth/me?${MARK}`,
  `http://[${MARK}/`,
  '/openapi.json',
  `/api/auth/me;${MARK}`,
  `/api/auth/me#${MARK}`,
  `\\\\${MARK}`,
  `/health/live?${MARK}`,
  '/api/auth/me',
  `/api/workspaces/${MARK}/keys`,
  `/health/ready?${MARK}`,
];

interface Parts {
  method?: string;
  authorization?: string;
  headers?: string[];
  body?: string;
}

/** An HTTP request that has a secret in each of its parts. */
function request(target: string, parts: Parts = {}): string {
  const { method = 'GET', authorization = `Bearer ${MARK}`, headers = [], body = '' } = parts;
  const isFramed = headers.some((header) => /^(content-length|transfer-encoding)/.test(header));
  return [
    `${method} ${target} HTTP/1.1`,
    'host: galley.test',
    'connection: close',
    `authorization: ${authorization}`,
    `proxy-authorization: Basic ${MARK}`,
    `cookie: session=${MARK}`,
    `referer: https://ada:${MARK}@galley.test/?${MARK}`,
    `user-agent: ${MARK}`,
    `x-api-key: ${MARK}`,
    `x-forwarded-for: ${MARK}`,
    `x-${MARK}: ${MARK}`,
    // A POST with a precondition is refused before its body is read.
    ...(method === 'POST' ? [] : [`if-match: "${MARK}"`, `if-none-match: "${MARK}"`]),
    `idempotency-key: ${MARK}-${randomUUID()}`,
    `webhook-id: ${MARK}`,
    `webhook-signature: v1,${MARK}`,
    ...(isFramed ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    ...headers,
    '',
    body,
  ].join(CRLF);
}

const encode = (part: string | object) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
const tokenOf = (header: object, claims: string | object) =>
  `Bearer ${encode(header)}.${encode(claims)}.${MARK}`;

/** Complete requests, to which the API and the worker respond. */
export function secretRequests(token: string, workspaceId: string): string[] {
  const authorization = `Bearer ${token}`;
  const post = (target: string, body: string, ...headers: string[]) =>
    request(target, { method: 'POST', authorization, body, headers: [JSON_TYPE, ...headers] });
  const ofType = (type: string, body: string) =>
    request('/api/templates', { method: 'POST', authorization, body, headers: [type] });
  const inChunks = (body: string) =>
    post(
      '/api/templates',
      [body.length.toString(16), body, '0', `x-trailer: ${MARK}`, '', ''].join(CRLF),
      'transfer-encoding: chunked',
      'trailer: x-trailer',
    );
  const fields = JSON.stringify({ workspaceId, name: MARK });
  const authorizations = [
    authorization,
    `${authorization} ${MARK}`,
    `Basic ${encode(`ada:${MARK}`)}`,
    MARK,
    `Bearer glk_${MARK}${'x'.repeat(39)}`,
    tokenOf({ alg: MARK }, { sub: MARK }),
    tokenOf({ alg: 'RS256', kid: MARK }, {}),
    tokenOf({ alg: 'RS256' }, `${MARK} is no JSON`),
    tokenOf({ alg: 'RS256', crit: [MARK], [MARK]: MARK }, {}),
    `${MARK} ${token}`,
  ];
  return [
    ...TARGETS.flatMap((target) => [request(target), request(target, { authorization })]),
    ...METHODS.flatMap((method) =>
      ['/api/templates', `//${MARK}`, `/${MARK}`].map((target) =>
        request(target, { method, authorization }),
      ),
    ),
    ...authorizations.map((given) => request('/api/auth/me', { authorization: given })),
    request('/api/auth/me', { authorization, headers: [`authorization: Bearer ${MARK}`] }),
    post('/api/templates', fields),
    post('/api/templates', fields, `if-match: "${MARK}"`),
    post('/api/templates', `{"name":"${MARK}"`),
    post('/api/templates', `{"${MARK}":"${MARK}","__proto__":"${MARK}"}`),
    post('/api/templates', MARK),
    post('/api/templates', fields, `content-encoding: ${MARK}`),
    post('/api/templates', fields, 'expect: 100-continue'),
    post('/api/templates', fields, `expect: ${MARK}`),
    post('/api/templates/batch', JSON.stringify({ workspaceId, operations: [{ action: MARK }] })),
    post('/api/workspaces', `{"name":"${MARK}"}`),
    post(`/api/workspaces/${workspaceId}/keys`, `{"name":"${MARK}","role":"viewer"}`),
    post(`/api/workspaces/${workspaceId}/members`, `{"email":"${MARK}","role":"viewer"}`),
    post('/api/auth/webhook', JSON.stringify(created(MARK, 1_000))),
    post(`//${MARK}`, fields),
    post(`/api/${MARK}`, `{${MARK}`),
    post('/api/templates', MARK, `content-length: ${20 * 1024 * 1024}`),
    inChunks(fields),
    inChunks(MARK),
    ofType(`content-type: ${MARK}`, fields),
    ofType(`content-type: text/plain; ${MARK}`, fields),
    request('/', { authorization, headers: [`x-filler: ${MARK.repeat(10_000)}`] }),
    request('/', { authorization, headers: [`upgrade: ${MARK}`] }),
  ];
}

/** Requests that are not valid HTTP. */
export const malformedRequests = [
  `${MARK.toUpperCase()} / HTTP/1.1${CRLF}${CRLF}`,
  `GET /${MARK} HTTP/9.9${CRLF}${CRLF}`,
  `GET /${MARK}\0 HTTP/1.1${CRLF}${CRLF}`,
  `GET ${MARK} HTTP/1.1${CRLF}authorization ${MARK}${CRLF}${CRLF}`,
  `GET /api/auth/me HTTP/1.1${CRLF}cookie: ${MARK}${CRLF}${CRLF}`,
  `CONNECT ada:${MARK}@galley.test:443 HTTP/1.1${CRLF}authorization: ${MARK}${CRLF}${CRLF}`,
  `PRI * HTTP/2.0${CRLF}${CRLF}SM${CRLF}${CRLF}${MARK}`,
  `\x16\x03\x01${MARK}`,
  request('/', { headers: ['content-length: 1', 'transfer-encoding: chunked'] }),
  request('/', { headers: [`transfer-encoding: ${MARK}`] }),
  request('/', { headers: ['transfer-encoding: chunked'], body: `${MARK}${CRLF}` }),
];

/** Requests whose end is never sent. */
export const slowRequests = (token: string): string[] => [
  `GET /${MARK} HTTP/1.1${CRLF}authorization: ${MARK}`,
  request('/api/templates', {
    method: 'POST',
    authorization: `Bearer ${token}`,
    body: MARK,
    headers: [JSON_TYPE, 'content-length: 1000'],
  }),
];

/**
 * Sends bytes on a new connection, and returns the first line of the response. The connection stays open
 * until the server closes it. With `isAborted`, the connection is closed as soon as the bytes are sent.
 */
export function exchange(port: number, bytes: string, isAborted = false): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes, 'latin1', () => {
        if (isAborted) socket.destroy();
      });
    });
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    // If a server closes a connection before it has read all bytes, the client gets a reset.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received.split(CRLF)[0] ?? ''));
  });
}
