import { text } from 'node:stream/consumers';
import { errors } from 'oidc-provider';
import type Provider from 'oidc-provider';
import type { Grant, InteractionResults, KoaContextWithOIDC } from 'oidc-provider';
import { subjectOf } from './development-users.js';
import { renderError, renderLogin } from './pages.js';

const LOGIN_PATH = '/login/';

export const loginPathOf = (uid: string): string => LOGIN_PATH + uid;

/**
 * The only page of an authorization that a person sees: an email address signs its user in, without a
 * password.
 */
export function loginMiddleware(provider: Provider): Parameters<Provider['use']>[0] {
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
        // OpenID Connect requires this prompt for offline_access; it is granted, because nobody needs to be
        // asked.
        await finish({ consent: {} });
      } else if (context.method === 'POST') {
        const email = new URLSearchParams(await text(req)).get('email')?.trim() ?? '';
        const accountId = subjectOf(email);
        if (accountId === undefined) {
          context.status = 400;
          renderLogin(context, { email, isInvalidEmail: true });
        } else {
          await finish({ login: { accountId } });
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
        error_description: 'this login is over: go back to the app and start again',
      });
    }
  };
}

/** Every scope that a client requests is granted without a consent page. */
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
