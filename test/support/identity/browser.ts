/**
 * A browser that can only sign in: it keeps cookies and follows redirects, but never loads a page of the app
 * to which the provider redirects.
 */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>();

  constructor(private readonly providerOrigin: string) {}

  async open(url: string | URL, form?: Record<string, string>): Promise<Page> {
    const { origin, pathname } = new URL(url);
    if (origin !== this.providerOrigin) {
      return { url: new URL(url), status: 0, html: '', headers: new Headers() };
    }
    const cookies = [...this.#cookies].filter(([, { path }]) => pathname.startsWith(path));
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: cookies.map(([name, { value }]) => `${name}=${value}`).join('; '),
        ...(form && { origin }),
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      const [, path = '/'] = /; path=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, { value, path });
    }
    const location = response.headers.get('location');
    if (location !== null) return this.open(new URL(location, url));
    const { status, headers } = response;
    return { url: new URL(url), status, headers, html: await response.text() };
  }

  /** Submits the form of a page. `fields` is what the user enters or presses; hidden fields are added. */
  submit({ url, html }: Page, fields: Record<string, string> = {}): Promise<Page> {
    const [, action = url.href] = / action="([^"]+)"/.exec(html) ?? [];
    const hidden = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
    const hiddenFields = [...hidden].map(([, name = '', value = '']) => [name, value] as const);
    return this.open(action, { ...Object.fromEntries(hiddenFields), ...fields });
  }
}

/** A page of the provider. A page of the app has only its URL, because the browser does not load it. */
export interface Page {
  url: URL;
  status: number;
  html: string;
  headers: Headers;
}
