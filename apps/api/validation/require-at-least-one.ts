import { DomainError } from '#errors';

/** @throws DomainError `invalid` if the body of an update contains none of the `fields`. */
export function requireAtLeastOne<Dto extends object>(
  dto: Dto,
  fields: readonly (keyof Dto & string)[],
): Dto {
  if (fields.every((field) => dto[field] === undefined)) {
    throw new DomainError('invalid', `The body must contain at least one of ${fields.join(', ')}.`);
  }
  return dto;
}
