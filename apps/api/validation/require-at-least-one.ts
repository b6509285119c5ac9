import { DomainError } from '#errors';

/** @throws DomainError `invalid` if a change names none of the fields that can change. */
export function requireAtLeastOne<Dto extends object>(
  dto: Dto,
  fields: readonly (keyof Dto & string)[],
): Dto {
  if (fields.every((field) => dto[field] === undefined)) {
    throw new DomainError('invalid', `The body must name at least one of ${fields.join(', ')}.`);
  }
  return dto;
}
