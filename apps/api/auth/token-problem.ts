import { errors } from 'jose';

/** A token that is refused for a reason that no library knows. */
export class TokenProblem extends Error {}

// By the code of jose, and by the name or the beginning of the message of jsonwebtoken. Names of the
// expected issuer and audience stay out: a caller who has none of our tokens need not know them.
const SENTENCES: readonly [known: string, sentence: string][] = [
  ['TokenExpiredError', 'The token has expired.'],
  ['NotBeforeError', 'The token is not valid yet.'],
  ['jwt audience invalid', 'The token is for another audience.'],
  ['jwt issuer invalid', 'The token is from another issuer.'],
  ['invalid signature', 'The signature of the token is wrong.'],
  ['jwt signature is required', 'The token is not signed.'],
  ['invalid algorithm', 'The token is signed with an algorithm that is not accepted.'],
  [
    errors.JWKSNoMatchingKey.code,
    'The issuer publishes no key that fits the key id and algorithm of the token.',
  ],
  [
    errors.JWKSMultipleMatchingKeys.code,
    'The token names no key, and several keys of the issuer fit it.',
  ],
  [errors.JOSENotSupported.code, 'The token is signed with an algorithm that is not accepted.'],
];

/** What is wrong with a token, in a sentence that repeats nothing of it. */
export function problemOf(error: unknown): string {
  if (error instanceof TokenProblem) return error.message;
  const { name, message = '', code } = Object(error) as Partial<NodeJS.ErrnoException>;
  const [, sentence = 'The token is not a JWT that can be read.'] =
    SENTENCES.find(([known]) => known === name || known === code || message.startsWith(known)) ??
    [];
  return sentence;
}
