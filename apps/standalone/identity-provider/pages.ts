import { hash } from 'node:crypto';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';

/** The part of Koa's context that is needed to send a page. */
type PageContext = Pick<KoaContextWithOIDC, 'body' | 'set' | 'type'>;

const STYLE = `
:root { color-scheme: light dark; --accent: #0b6b57; --on-accent: #fff; --alert: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --accent: #6ad4b8; --on-accent: #06231c; --alert: #ff8a80; }
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
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.alert { color: var(--alert); }
`;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
  // The form's response redirects to the app, and browsers check form-action for the redirect, too. Only
  // the scheme is named, because a policy cannot name [::1]; the provider decides which URL is allowed.
  'form-action http:',
].join('; ');

export function renderLogin(
  context: PageContext,
  { email, isInvalidEmail }: { email: string; isInvalidEmail: boolean },
) {
  const invalidAttributes = isInvalidEmail ? 'aria-invalid="true" aria-describedby="problem"' : '';
  const errorHtml = isInvalidEmail
    ? '<p class="alert" id="problem" role="alert">That is no e-mail address. One looks like ada@example.com.</p>'
    : '';
  renderPage(
    context,
    'Sign in to Galley',
    `<p>This is the identity provider for development: any e-mail address is a user, and needs no password.</p>
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${escapeHtml(email)}" autocomplete="email" required autofocus ${invalidAttributes}>
${errorHtml}
<button>Sign in</button>
</form>`,
  );
}

/** @param form the provider's form, to which the buttons belong. */
export function renderLogout(context: PageContext, form: string): void {
  renderPage(
    context,
    'Sign out of Galley?',
    `${form}
<button form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
<button form="op.logoutForm" class="second">Stay signed in</button>`,
  );
}

export function renderLoggedOut(context: PageContext): void {
  renderPage(context, 'You are signed out', '<p>You can close this page.</p>');
}

export function renderError(
  context: PageContext,
  { error, error_description: description }: ErrorOut,
) {
  const detail = description === undefined ? '' : `: ${description}`;
  renderPage(context, 'This did not work', `<p class="alert">${escapeHtml(error + detail)}</p>`);
}

function renderPage(context: PageContext, title: string, content: string): void {
  context.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  context.type = 'html';
  context.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
<main>
<h1>${title}</h1>
${content}
</main>
</html>
`;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
