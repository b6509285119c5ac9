import type { ErrorOut } from 'oidc-provider';
import { escapeUTF8 } from 'entities/escape';
import { ACCOUNT_PATH } from './account-pages.js';
import { renderPage, type PageContext } from './page.js';

export function renderLogin(
  context: PageContext,
  { email, isInvalidEmail }: { email: string; isInvalidEmail: boolean },
) {
  const invalidAttributes = isInvalidEmail ? 'aria-invalid="true" aria-describedby="problem"' : '';
  const errorHtml = isInvalidEmail
    ? '<p class="alert" id="problem" role="alert">That is not an email address. Enter one such as ada@example.com.</p>'
    : '';
  renderPage(
    context,
    'Sign in to Galley',
    `<p>This is the identity provider for development: you can sign in with any email address, without a password.</p>
<form method="post">
<label for="email">Email address</label>
<input id="email" name="email" type="email" value="${escapeUTF8(email)}" autocomplete="email" required autofocus ${invalidAttributes}>
${errorHtml}
<button>Sign in</button>
</form>
<nav><a href="${ACCOUNT_PATH}">Your account: change your name, or delete the user</a></nav>`,
  );
}

const SIGN_OUT_BUTTON =
  '<button form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>';
const STAY_BUTTON = '<button form="op.logoutForm" class="second">Stay signed in</button>';
const PRESS_FIRST_BUTTON = "document.querySelector('button').click();";

/**
 * @param form the provider's form, which the buttons submit.
 * @param isConfirmed whether the app has sent an ID token of the user. If so, the page signs the user out without
 * asking.
 */
export function renderLogout(
  context: PageContext,
  form: string,
  { isConfirmed }: { isConfirmed: boolean },
): void {
  if (isConfirmed) {
    renderPage(context, 'Signing out …', `${form}\n${SIGN_OUT_BUTTON}`, PRESS_FIRST_BUTTON);
  } else {
    renderPage(context, 'Sign out of Galley?', `${form}\n${SIGN_OUT_BUTTON}\n${STAY_BUTTON}`);
  }
}

export function renderLoggedOut(context: PageContext): void {
  renderPage(
    context,
    'You are signed out',
    `<p>You can close this page.</p>
<nav><a href="${ACCOUNT_PATH}">Sign in to your account</a></nav>`,
  );
}

export function renderError(
  context: PageContext,
  { error, error_description: description }: ErrorOut,
) {
  const detail = description === undefined ? '' : `: ${description}`;
  renderPage(context, 'This did not work', `<p class="alert">${escapeUTF8(error + detail)}</p>`);
}
