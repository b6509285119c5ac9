export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** The parsed body; undefined when there is none. */
  body: Body;
  text: string;
}

/** Calls the API over HTTP as somebody with a token, or as nobody. */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly token?: string,
  ) {}

  get = <Body>(path: string) => this.send<Body>('GET', path);
  post = <Body>(path: string, body?: unknown) => this.send<Body>('POST', path, body);
  put = <Body>(path: string, body: unknown) => this.send<Body>('PUT', path, body);
  delete = <Body>(path: string) => this.send<Body>('DELETE', path);

  send<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    return body === undefined
      ? this.raw(method, path)
      : this.raw(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
  }

  async raw<Body>(
    method: string,
    path: string,
    body?: string | Buffer<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      headers: { ...(this.token && { authorization: `Bearer ${this.token}` }), ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const { status } = response;
    return {
      status,
      headers: response.headers,
      text,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
    };
  }
}
