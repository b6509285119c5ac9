import { escapeUTF8 } from 'entities/escape';
import { renderPage, type PageContext } from './page.js';
import type { DevelopmentUser } from './users/development-users.js';

export const ACCOUNT_PATH = '/account';
export const DELETION_PATH = '/account/delete';
export const MAX_NAME_LENGTH = 100;

export function renderAccount(
  context: PageContext,
  { email, firstName, lastName }: DevelopmentUser,
  { isSaved }: { isSaved: boolean },
): void {
  const field = (id: string, label: string, value: string, autocomplete: string): string =>
    `<label for="${id}">${label}</label>
<input id="${id}" name="${id}" value="${escapeUTF8(value)}" maxlength="${MAX_NAME_LENGTH}" autocomplete="${autocomplete}">`;
  renderPage(
    context,
    'Your account',
    `<p>You are signed in as ${escapeUTF8(email)}.</p>
${isSaved ? '<p role="status"><strong>Saved.</strong> Galley will receive the new name in a moment.</p>' : ''}
<form method="post">
${field('first_name', 'First name', firstName, 'given-name')}
${field('last_name', 'Last name', lastName, 'family-name')}
<button>Save</button>
</form>
<nav><a href="/session/end">Sign out</a><a href="${DELETION_PATH}">Delete this user</a></nav>`,
  );
}

export function renderDeletion(context: PageContext, { email }: DevelopmentUser): void {
  renderPage(
    context,
    `Delete ${email}?`,
    `<p>The user leaves all workspaces, and Galley refuses the user's tokens. This cannot be undone: if you sign in with this address again, you are a new user without workspaces.</p>
<form method="post">
<button class="danger">Delete this user</button>
</form>
<nav><a href="${ACCOUNT_PATH}" autofocus>Keep the user</a></nav>`,
  );
}

export function renderDeleted(context: PageContext, { email }: DevelopmentUser): void {
  renderPage(
    context,
    'The user is deleted',
    `<p role="status">${escapeUTF8(email)} is deleted here, and Galley will be notified in a moment.</p>
<nav><a href="${ACCOUNT_PATH}">Sign in as another user</a></nav>`,
  );
}
