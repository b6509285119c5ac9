import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type Provider from 'oidc-provider';
import {
  ACCOUNT_PATH,
  DELETION_PATH,
  MAX_NAME_LENGTH,
  renderAccount,
  renderDeleted,
  renderDeletion,
} from './account-pages.js';
import type { DevelopmentUser, DevelopmentUsers } from './users/development-users.js';

type Middleware = Parameters<Provider['use']>[0];
type Context = Parameters<Middleware>[0];

/** The pages on which signed-in users change their names or delete their accounts. */
export function accountMiddleware(
  provider: Provider,
  users: DevelopmentUsers,
  clientId: string,
): Middleware {
  return async (context, next) => {
    if (context.path === '/') {
      context.redirect(ACCOUNT_PATH);
    } else if (context.path !== ACCOUNT_PATH && context.path !== DELETION_PATH) {
      await next();
    } else {
      await serveAccount(context, provider, users, clientId);
    }
  };
}

async function serveAccount(
  context: Context,
  provider: Provider,
  users: DevelopmentUsers,
  clientId: string,
): Promise<void> {
  const isPost = context.method === 'POST';
  // Prevents CSRF: a page of another origin, including another port of this machine, must not act for the user.
  if (isPost && context.get('origin') !== `http://${context.host}`) {
    context.throw(403, 'Only the pages of this identity provider may submit this form.');
  }
  const session = await provider.Session.get(context);
  const user = users.find(session.accountId);
  if (user === undefined) {
    redirect(context, signInUrl(context.host, clientId));
  } else if (context.query['code'] !== undefined) {
    // Removes the authorization code from the URL. The account page needs only the session that the sign-in created.
    redirect(context, ACCOUNT_PATH);
  } else if (context.path === ACCOUNT_PATH) {
    if (!isPost) renderAccount(context, user, { isSaved: context.query['saved'] !== undefined });
    else await rename(context, users, user);
  } else if (!isPost) {
    renderDeletion(context, user);
  } else {
    await users.delete(user);
    await session.destroy();
    renderDeleted(context, user);
  }
}

async function rename(
  context: Context,
  users: DevelopmentUsers,
  user: DevelopmentUser,
): Promise<void> {
  const form = new URLSearchParams(await text(context.req));
  const [firstName = '', lastName = ''] = ['first_name', 'last_name'].map((name) =>
    (form.get(name) ?? '').trim(),
  );
  if (Math.max(firstName.length, lastName.length) > MAX_NAME_LENGTH) {
    context.throw(400, `A name may have at most ${MAX_NAME_LENGTH} characters.`);
  }
  await users.rename(user, { firstName, lastName });
  redirect(context, `${ACCOUNT_PATH}?saved`);
}

function redirect(context: Context, url: string): void {
  context.status = 303;
  context.redirect(url);
}

/**
 * Returns the URL that signs the user in to the account page, which is a client of the provider like any other. The
 * page never exchanges the authorization code for tokens, so the code challenge is random, without a code verifier.
 */
function signInUrl(host: string, clientId: string): string {
  const parameters = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `http://${host}${ACCOUNT_PATH}`,
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
  });
  return `/auth?${parameters.toString()}`;
}
