import { DomainError } from '#errors';

/** The largest size of a form beside its file: the fields and the headers of all parts. */
export const FORM_BYTES = 64 * 1024;

const MIB = 2 ** 20;

/** @param bodyLimit the limit of the route, which is that of a picture and the rest of the form. */
export function uploadTooLarge(bodyLimit: number): DomainError {
  const bytes = bodyLimit - FORM_BYTES;
  const limit = bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`;
  return new DomainError('too_large', `The picture is too large: the limit is ${limit}.`);
}
