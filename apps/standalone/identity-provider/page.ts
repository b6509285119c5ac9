import type { KoaContextWithOIDC } from 'oidc-provider';
import { htmlPage } from '../html-page.js';

/** The part of Koa's context that is needed to send a page. */
export type PageContext = Pick<KoaContextWithOIDC, 'body' | 'set'>;

/** @param script runs at the end of the page. The browser blocks all other scripts. */
export function renderPage(
  context: PageContext,
  title: string,
  content: string,
  script?: string,
): void {
  const { headers, html } = htmlPage({
    title,
    content,
    script,
    // After the form is submitted, the provider redirects to the app, and browsers apply `form-action` to redirects as
    // well. The directive names only the scheme, because CSP has no syntax for `[::1]`. The provider itself checks the
    // redirect URI.
    directives: ['form-action http:'],
  });
  context.set(headers);
  context.body = html;
}
