import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { DomainError } from '#errors';
import { IDENTITY_OPTIONS, SigningKeys, Users, type IdentityOptions } from '#identity';
import type { FastifyRequest } from 'fastify';
import { decodeProtectedHeader } from 'jose';
import { Strategy, type StrategyOptionsWithRequest } from 'passport-jwt';
import { Admission } from '../admission/admission.js';
import { addressOf } from '../http/address.js';
import { isStorable } from '../bodies/json-body.js';
import type { Caller } from './actor.decorator.js';
import { bearerToken } from './bearer-token.js';
import { TokenProblem } from './token-problem.js';

// Asymmetric alone: with a symmetric one, whoever can verify a token could make one.
const ALGORITHMS: StrategyOptionsWithRequest['algorithms'] = [
  ...(['RS256', 'RS384', 'RS512'] as const),
  ...(['PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512'] as const),
];
const CLOCK_TOLERANCE_S = 30;
// OpenID Connect Core 1.0, section 2, gives a subject at most 255 characters.
const MAX_CLAIM_LENGTH = 255;

type Claims = Record<string, unknown>;

/** Verifies a bearer token and finds the user whom it names. */
@Injectable()
export class TokenStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    @Inject(IDENTITY_OPTIONS) { issuer, audience }: IdentityOptions,
    keys: SigningKeys,
    private readonly users: Users,
    private readonly admission: Admission,
  ) {
    super({
      jwtFromRequest: (request: unknown) => bearerToken(request as FastifyRequest),
      secretOrKeyProvider: (_request: unknown, token: string, done: KeyCallback) => {
        keyOf(token, keys).then(
          // jsonwebtoken takes key objects; only the types of passport-jwt do not know it.
          (key) => done(null, key as unknown as Buffer),
          (error: unknown) => done(error),
        );
      },
      ...(issuer !== undefined && { issuer }),
      audience,
      passReqToCallback: true,
      algorithms: ALGORITHMS,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_S },
    });
  }

  async validate(request: FastifyRequest, claims: Claims): Promise<Caller> {
    const issuer = claim(claims, 'iss');
    const subject = claim(claims, 'sub');
    // A token that never expires could not be taken back.
    if (issuer === '' || subject === '' || typeof claims['exp'] !== 'number') {
      throw DomainError.unauthorized('The token must have the claims iss, sub and exp.');
    }
    const email = claim(claims, 'email');
    // Templates of claims may make a text of it.
    const emailVerified = ['true', true].includes(claims['email_verified'] as string | boolean);
    const profile = {
      email,
      emailVerified,
      issuedAt: timeOf(claims['iat']),
      firstName: claim(claims, 'given_name', 'first_name'),
      lastName: claim(claims, 'family_name', 'last_name'),
    };
    const userId = await this.admission.run(`token of ${issuer} ${subject}`, () =>
      this.users.idOf({ issuer, subject }, profile, addressOf(request)),
    );
    return { userId };
  }
}

/** @throws TokenProblem for a token with `crit`: no extension is supported (RFC 7515, section 4.1.11). */
async function keyOf(token: string, keys: SigningKeys) {
  if ('crit' in decodeProtectedHeader(token)) {
    throw new TokenProblem('The token has a critical header (crit) that is not supported.');
  }
  return keys.keyOf(token);
}

type KeyCallback = (error: unknown, key?: Buffer) => void;

/** In seconds since 1970, and never in the future; long ago for a token that does not say. */
const timeOf = (seconds: unknown): Date =>
  new Date(typeof seconds === 'number' ? Math.max(0, Math.min(seconds * 1000, Date.now())) : 0);

/** The first of these claims that is a usable text; providers differ in how they name them. */
function claim(claims: Claims, ...names: string[]): string {
  const usable = (value: unknown): value is string =>
    typeof value === 'string' && value.length <= MAX_CLAIM_LENGTH && isStorable(value);
  return names.map((name) => claims[name]).find(usable) ?? '';
}
