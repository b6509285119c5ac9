import { createRemoteJWKSet, jwtVerify } from 'jose';
import type Provider from 'oidc-provider';
import { claimsOf, type DevelopmentUsers } from './users/development-users.js';

export const USER_INFO_PATH = '/userinfo';

/**
 * The UserInfo endpoint (OpenID Connect Core, section 5.3). The library's own endpoint refuses access tokens for an
 * API. This endpoint accepts them, like the UserInfo endpoints of most providers.
 */
export function userInfoMiddleware(
  issuer: string,
  audience: string,
  users: DevelopmentUsers,
): Parameters<Provider['use']>[0] {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  return async (context, next) => {
    if (context.path !== USER_INFO_PATH) {
      await next();
      return;
    }
    context.vary('Origin');
    context.set('Access-Control-Allow-Origin', context.get('origin') || '*');
    if (context.method === 'OPTIONS') {
      context.set('Access-Control-Allow-Headers', 'authorization');
      context.status = 204;
      return;
    }
    const [, token = ''] = /^Bearer (.+)$/i.exec(context.get('authorization')) ?? [];
    try {
      const { payload } = await jwtVerify<{ sub: string }>(token, keys, { issuer, audience });
      const user = users.find(payload.sub);
      if (user === undefined) throw new Error('The user of the token was deleted.');
      context.set('Cache-Control', 'no-store');
      context.body = { sub: user.subject, ...claimsOf(user) };
    } catch {
      context.set('WWW-Authenticate', 'Bearer error="invalid_token"');
      context.status = 401;
      context.body = { error: 'invalid_token', error_description: 'the token is not valid here' };
    }
  };
}
