import type { KoaContextWithOIDC } from 'oidc-provider';
import { htmlPage } from '../html-page.js';

/** The part of Koa's context that sending a page needs. */
export type PageContext = Pick<KoaContextWithOIDC, 'body' | 'set'>;

/** @param script runs at the end of the page; all other scripts are refused. */
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
    // The form's response redirects to the app, and browsers check form-action for the redirect, too. Only
    // the scheme is named, because a policy cannot name [::1]; the provider decides which URL is allowed.
    directives: ['form-action http:'],
  });
  context.set(headers);
  context.body = html;
}
