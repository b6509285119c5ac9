import { DomainError } from '#errors';
import { fieldRule, isId, IsTrueOrFalse, Optional } from '../validation/fields.js';

// Equal to the maximum number of operations in a batch.
const MAX_TEMPLATE_IDS = 1_000;
// The largest version number that a path may contain.
const MAX_VERSION = 999_999_999;

export class UpdateUsagesDto {
  @fieldRule(
    'isVersion',
    (value) =>
      Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_VERSION
        ? undefined
        : 'must be the number of a version',
    {
      type: 'integer',
      minimum: 1,
      maximum: MAX_VERSION,
      description: 'The version of the module to pin the references to.',
    },
  )
  toVersion!: number;

  @Optional('If true, updates all templates that you may edit.')
  @IsTrueOrFalse()
  all?: boolean;

  @Optional(
    'Updates only these templates. Galley skips templates that you may not edit, and templates that have no references pinned to another version of the module.',
  )
  @fieldRule(
    'areTemplateIds',
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= MAX_TEMPLATE_IDS &&
      value.every((id) => typeof id === 'string' && isId(id))
        ? undefined
        : `must be a list of 1 to ${MAX_TEMPLATE_IDS} ids`,
    {
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      minItems: 1,
      maxItems: MAX_TEMPLATE_IDS,
    },
  )
  templateIds?: string[];

  @Optional(
    'If true, Galley changes nothing, and responds with 200 and the number of templates that an update would change now.',
    false,
  )
  @IsTrueOrFalse()
  dryRun?: boolean;
}

/** @throws DomainError `invalid` unless the body has exactly one of `all` and `templateIds`. */
export function requireAllOrTemplateIds({ all = false, templateIds }: UpdateUsagesDto): void {
  if (all === (templateIds !== undefined)) {
    throw new DomainError('invalid', 'Send either all: true or templateIds.');
  }
}
