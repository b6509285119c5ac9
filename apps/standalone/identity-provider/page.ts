import { hash } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';

/** The part of Koa's context that sending a page needs. */
export type PageContext = Pick<KoaContextWithOIDC, 'body' | 'set' | 'type'>;

const STYLE = `
:root { color-scheme: light dark; --accent: #0b6b57; --on-accent: #fff; --alert: #b3261e; --on-alert: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --accent: #6ad4b8; --on-accent: #06231c; --alert: #ff8a80; --on-alert: #3b0906; }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText;
}
main {
  width: 100%; max-width: 24rem; padding: 2rem; border-radius: 0.75rem;
  border: 1px solid color-mix(in srgb, CanvasText 18%, Canvas);
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0.5rem 0 0; overflow-wrap: anywhere; }
label { display: block; margin: 1.5rem 0 0.375rem; font-weight: 600; }
input, button { width: 100%; padding: 0.625rem 0.75rem; font: inherit; border-radius: 0.5rem; }
input {
  color: inherit; background: Field;
  border: 1px solid color-mix(in srgb, CanvasText 50%, Canvas);
}
input[aria-invalid] { border-color: var(--alert); }
button {
  margin-top: 1rem; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
}
button.second { color: inherit; background: none; border-color: currentcolor; }
button.danger { color: var(--on-alert); background: var(--alert); border-color: var(--alert); }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-top: 1.5rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.alert { color: var(--alert); }
`;

const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(STYLE)}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
  // The form's response redirects to the app, and browsers check form-action for the redirect, too. Only
  // the scheme is named, because a policy cannot name [::1]; the provider decides which URL is allowed.
  'form-action http:',
].join('; ');

/** @param script runs at the end of the page; all other scripts are refused. */
export function renderPage(
  context: PageContext,
  title: string,
  content: string,
  script?: string,
): void {
  context.set({
    'Content-Security-Policy':
      script === undefined
        ? CONTENT_SECURITY_POLICY
        : `${CONTENT_SECURITY_POLICY}; script-src ${sourceOf(script)}`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  context.type = 'html';
  context.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>${script === undefined ? '' : `\n<script>${script}</script>`}
</html>
`;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
