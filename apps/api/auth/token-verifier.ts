import { KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { IDENTITY_OPTIONS, JwksCache, type IdentityOptions, type TokenSubject } from '#identity';
import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';
import { Strategy, type StrategyOptionsWithoutRequest } from 'passport-jwt';
import { isStorable } from '../json/json-body.js';
import { TokenError } from './token-error.js';

// Only asymmetric algorithms are accepted. With a symmetric algorithm, anyone who can verify tokens can also issue
// them.
const ALGORITHMS: StrategyOptionsWithoutRequest['algorithms'] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
];
// Issuers sign other tokens, such as logout tokens, with the same keys. Only `typ` distinguishes those tokens from
// access tokens (RFC 8725, section 3.11). Many issuers set the `typ` of access tokens to `JWT`, or omit it.
const TYPES = new Set(['jwt', 'at+jwt']);
const CLOCK_TOLERANCE_S = 30;
// OpenID Connect Core 1.0, section 2, limits a subject to 255 characters.
const MAX_CLAIM_LENGTH = 255;

type RawClaims = Record<string, unknown>;

/** Passed to the passport strategy in place of a request. */
interface Credentials {
  token: string;
  key: KeyObject;
}

export interface VerifiedToken extends TokenSubject {
  /** Milliseconds since 1970. */
  expiresAtMs: number;
}

/** Verifies bearer tokens with passport-jwt and the issuer's keys, and reads the user from the claims of the token. */
@Injectable()
export class TokenVerifier {
  private readonly strategy: Strategy;

  constructor(
    @Inject(IDENTITY_OPTIONS) { issuer, audience }: IdentityOptions,
    private readonly jwksCache: JwksCache,
  ) {
    this.strategy = new Strategy(
      {
        jwtFromRequest: ({ token }: Credentials) => token,
        // jsonwebtoken accepts key objects, but the types of passport-jwt do not include them.
        secretOrKeyProvider: ({ key }: Credentials, _token, done) =>
          done(null, key as unknown as Buffer),
        issuer,
        audience,
        algorithms: ALGORITHMS,
        jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_S },
      },
      (claims, done) => done(null, claims),
    );
  }

  /**
   * @throws DomainError `unavailable` if the issuer's keys cannot be fetched. If the token is not valid, throws an
   * error for `describeTokenError`.
   */
  async verify(token: string): Promise<VerifiedToken> {
    checkHeader(decodeProtectedHeader(token));
    const key = KeyObject.from(await this.jwksCache.getKey(token));
    return readClaims(await this.runStrategy({ token, key }));
  }

  /** Like passport, creates an object for each run. The object inherits from the strategy and adds the callbacks. */
  private runStrategy(credentials: Credentials): Promise<RawClaims> {
    return new Promise((resolve, reject) => {
      const run = Object.create(this.strategy) as {
        authenticate: (credentials: Credentials) => void;
      };
      Object.assign(run, { success: resolve, fail: reject, error: reject });
      run.authenticate(credentials);
    });
  }
}

function checkHeader(header: ProtectedHeaderParameters): void {
  // Galley supports none of the extensions that `crit` can name (RFC 7515, section 4.1.11).
  if ('crit' in header) {
    throw new TokenError('The token has a critical header (crit) that is not supported.');
  }
  // The verifying library would treat a compressed payload as plain text.
  if ('zip' in header)
    throw new TokenError('The token is compressed (zip), which is not supported.');
  const { typ } = header as { typ?: unknown };
  if (typ === undefined) return;
  if (typeof typ !== 'string' || !TYPES.has(typ.toLowerCase().replace(/^application\//, ''))) {
    throw new TokenError('The type (typ) of the token is not the type of an access token.');
  }
}

function readClaims(claims: RawClaims): VerifiedToken {
  const issuer = textClaim(claims, 'iss');
  const subject = textClaim(claims, 'sub');
  const { exp, iat } = claims;
  // A token that never expires could never be revoked.
  if (issuer === '' || subject === '' || typeof exp !== 'number') {
    throw new TokenError('The token must have the claims iss, sub and exp.');
  }
  return {
    subject: { issuer, subject },
    claims: {
      email: textClaim(claims, 'email'),
      // The claim templates of some providers turn the boolean into a string.
      emailVerified: ['true', true].includes(claims['email_verified'] as string | boolean),
      issuedAt: issuedAtOf(iat),
      firstName: textClaim(claims, 'given_name', 'first_name'),
      lastName: textClaim(claims, 'family_name', 'last_name'),
    },
    expiresAtMs: exp * 1000,
  };
}

/**
 * The time at which the token was issued, capped at the current time. A token without `iat` counts as issued in 1970.
 */
const issuedAtOf = (seconds: unknown): Date =>
  new Date(typeof seconds === 'number' ? Math.max(0, Math.min(seconds * 1000, Date.now())) : 0);

/** Returns the first of several claims that is a usable string, because providers name the same claim differently. */
function textClaim(claims: RawClaims, ...names: string[]): string {
  const isUsable = (value: unknown): value is string =>
    typeof value === 'string' && value.length <= MAX_CLAIM_LENGTH && isStorable(value);
  return names.map((name) => claims[name]).find(isUsable) ?? '';
}
