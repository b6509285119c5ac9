import { text } from 'node:stream/consumers';
import { errors } from 'oidc-provider';
import type Provider from 'oidc-provider';
import type { Grant, InteractionResults, KoaContextWithOIDC } from 'oidc-provider';
import { renderError, renderLogin } from './pages.js';
import type { DevelopmentUsers } from './users/development-users.js';

const LOGIN_PATH = '/login/';
const AUTHORIZATION_PATH = '/auth';

export const loginPathOf = (uid: string): string => LOGIN_PATH + uid;

/**
 * Serves the sign-in page, the only page that a user sees during an authorization. An email address is enough to sign
 * in.
 */
export function loginMiddleware(
  provider: Provider,
  users: DevelopmentUsers,
): Parameters<Provider['use']>[0] {
  return async (context, next) => {
    if (!context.path.startsWith(LOGIN_PATH)) {
      await next();
      return;
    }
    const { req, res } = context;
    const finish = async (result: InteractionResults): Promise<void> => {
      context.status = 303;
      context.redirect(await provider.interactionResult(req, res, result));
    };
    try {
      const { prompt, params } = await provider.interactionDetails(req, res);
      if (prompt.name === 'consent') {
        // Consent is granted without asking the user. `allowOfflineAccess` adds this prompt.
        await finish({ consent: {} });
      } else if (context.method === 'POST') {
        const email = new URLSearchParams(await text(req)).get('email')?.trim() ?? '';
        const user = await users.signIn(email);
        if (user === undefined) {
          context.status = 400;
          renderLogin(context, { email, isInvalidEmail: true });
        } else {
          await finish({ login: { accountId: user.subject } });
        }
      } else {
        const { login_hint: email } = params;
        renderLogin(context, {
          email: typeof email === 'string' ? email : '',
          isInvalidEmail: false,
        });
      }
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) {
        throw error;
      }
      context.status = error.statusCode;
      renderError(context, {
        error: error.error,
        error_description: 'this sign-in is no longer valid: go back to the app and start again',
      });
    }
  };
}

/** Grants every scope that a client requests, without a consent page. */
export async function grantRequestedScopes(
  context: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { provider, session, client, account, requestParamOIDCScopes } = context.oidc;
  if (session === undefined || client === undefined || account === undefined) {
    return undefined;
  }
  const { clientId } = client;
  const { accountId } = account;
  const scope = [...requestParamOIDCScopes].join(' ');
  const existingGrantId = session.grantIdFor(clientId);
  const grant =
    (existingGrantId === undefined ? undefined : await provider.Grant.find(existingGrantId)) ??
    new provider.Grant({ clientId, accountId });
  grant.addOIDCScope(scope);
  for (const resource of Object.keys(context.oidc.resourceServers ?? {})) {
    grant.addResourceScope(resource, scope);
  }
  await grant.save();
  return grant;
}

/** Ends the sessions of deleted users. The library fails if it finds no account for a session. */
export const endSessionsOfDeletedUsers =
  (provider: Provider, users: DevelopmentUsers): Parameters<Provider['use']>[0] =>
  async (context, next) => {
    if (context.path === AUTHORIZATION_PATH) {
      const session = await provider.Session.get(context);
      const isDeleted = session.accountId !== undefined && !users.find(session.accountId);
      if (isDeleted) await session.destroy();
    }
    await next();
  };

/**
 * Adds the consent prompt to requests for `offline_access`, because the library ignores this scope without the prompt.
 * No consent page is shown. OpenID Connect (Core, section 11) lets a provider grant offline access under conditions
 * other than a consent prompt, and the development provider assumes that every user consents.
 */
export const allowOfflineAccess: Parameters<Provider['use']>[0] = async (context, next) => {
  const { scope, prompt } = context.query;
  if (context.path === AUTHORIZATION_PATH && wordsOf(scope).has('offline_access')) {
    const prompts = wordsOf(prompt);
    // The prompt `none` cannot be combined with another prompt.
    if (!prompts.has('none')) prompts.add('consent');
    context.query = { ...context.query, prompt: [...prompts].join(' ') };
  }
  await next();
};

const wordsOf = (parameter: string | string[] | undefined): Set<string> =>
  new Set(typeof parameter === 'string' ? parameter.split(' ').filter(Boolean) : []);
