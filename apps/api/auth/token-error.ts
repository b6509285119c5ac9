import { errors } from 'jose';

/** A problem that Galley itself finds in a token. The libraries throw other errors. */
export class TokenError extends Error {}

// `known` is a jose error code, the name of a jsonwebtoken error, or the beginning of a jsonwebtoken error message. The
// sentences do not name the expected issuer and audience, because a caller without a valid token does not need to know
// them.
const DESCRIPTIONS: readonly [known: string, sentence: string][] = [
  ['TokenExpiredError', 'The token has expired.'],
  ['NotBeforeError', 'The token is not valid yet.'],
  ['jwt audience invalid', 'The token is for another audience.'],
  ['jwt issuer invalid', 'The token is from another issuer.'],
  ['invalid signature', 'The signature of the token is wrong.'],
  ['jwt signature is required', 'The token is not signed.'],
  ['invalid algorithm', 'The token is signed with an algorithm that is not accepted.'],
  [
    errors.JWKSNoMatchingKey.code,
    'The issuer publishes no key that matches the key id and algorithm of the token.',
  ],
  [
    errors.JWKSMultipleMatchingKeys.code,
    'The token has no key id, and several keys of the issuer match its algorithm.',
  ],
  [errors.JOSENotSupported.code, 'The token is signed with an algorithm that is not accepted.'],
];

/** Describes the problem with a token, in a sentence that quotes no part of the token. */
export function describeTokenError(error: unknown): string {
  if (error instanceof TokenError) return error.message;
  const { name, message = '', code } = Object(error) as Partial<NodeJS.ErrnoException>;
  const [, description = 'The token is not a well-formed JWT.'] =
    DESCRIPTIONS.find(
      ([identifier]) =>
        identifier === name || identifier === code || message.startsWith(identifier),
    ) ?? [];
  return description;
}
