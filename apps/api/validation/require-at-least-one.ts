import { DomainError } from '#errors';

/**
 * A change must name at least one of the fields that can change.
 * @throws DomainError `invalid` otherwise.
 */
export function requireAtLeastOne<Dto extends object>(
  dto: Dto,
  fields: readonly (keyof Dto & string)[],
): Dto {
  if (fields.every((field) => dto[field] === undefined)) {
    throw new DomainError('invalid', `The body must name at least one of ${fields.join(', ')}.`);
  }
  return dto;
}
