import { createClient, type Client as GeneratedClient } from '#client';
import type { ApiResponse } from './api-response.js';
import { expectDocumentedResponse } from './contract.js';

/** A response without the headers that differ when an idempotent request is repeated. */
export function comparableResponse({ status, text, headers }: ApiResponse<unknown>) {
  const { date, 'x-request-id': id, ...others } = Object.fromEntries(headers);
  return { status, text, headers: others };
}

/** Calls the API over HTTP with or without a token, and compares each response with openapi.json. */
export class Client {
  /** The client to pass to the generated functions of `#client`. */
  readonly generated: GeneratedClient;

  constructor(
    readonly baseUrl: string,
    readonly token?: string,
    readonly headers: Record<string, string> = {},
  ) {
    this.generated = createClient({
      baseUrl,
      auth: token,
      headers,
      // No retries, so that a test sees every response.
      maxRetries: 0,
      fetch: async (request) => {
        const { method, url } = request as Request;
        const response = await fetch(request);
        const { pathname } = new URL(url);
        expectDocumentedResponse(method, pathname, await readResponse(response.clone()));
        return response;
      },
    });
  }

  /** A client for the same caller that sends these headers with every request. */
  with = (headers: Record<string, string>) =>
    new Client(this.baseUrl, this.token, { ...this.headers, ...headers });

  get = <Body>(path: string) => this.send<Body>('GET', path);
  post = <Body>(path: string, body?: unknown) => this.send<Body>('POST', path, body);
  put = <Body>(path: string, body: unknown) => this.send<Body>('PUT', path, body);
  delete = <Body>(path: string) => this.send<Body>('DELETE', path);

  send<Body>(method: string, path: string, body?: unknown): Promise<ApiResponse<Body>> {
    return body === undefined
      ? this.raw(method, path)
      : this.raw(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
  }

  async raw<Body>(
    method: string,
    path: string,
    body?: string | Buffer<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<Body>> {
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      headers: {
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...this.headers,
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const result = await readResponse<Body>(response);
    expectDocumentedResponse(method, path, result);
    return result;
  }
}

async function readResponse<Body>(response: Response): Promise<ApiResponse<Body>> {
  const { status, headers } = response;
  const text = await response.text();
  const isText = /^(?:text\/(?:html|plain|csv)|application\/xliff\+xml)/.test(headers.get('content-type') ?? '');
  const body = isText ? text : text === '' ? undefined : (JSON.parse(text) as unknown);
  return { status, headers, text, body: body as Body };
}
