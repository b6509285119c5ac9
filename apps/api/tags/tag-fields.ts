import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { fieldRule, findTextProblem, Optional } from '../validation/fields.js';

const MAX_TAGS = 20;
const MAX_TAG_LENGTH = 50;

const TAG_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_TAG_LENGTH,
  pattern: '^[^,]*[^,\\s][^,]*$',
} as const;

export const TAGS_SCHEMA = {
  type: 'array',
  items: TAG_SCHEMA,
  maxItems: MAX_TAGS,
} as const;

const TAG_DESCRIPTION = `1 to ${MAX_TAG_LENGTH} characters without commas. Galley removes leading and trailing white space. Tags are case-sensitive.`;

function findTagProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const tag = value.trim();
  if (tag === '') return 'must not be empty';
  if (tag.includes(',')) return 'must not contain a comma';
  return findTextProblem(tag, MAX_TAG_LENGTH);
}

function findTagsProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be an array of tags';
  if (value.length > MAX_TAGS) return `must have at most ${MAX_TAGS} tags`;
  const problem = value.map(findTagProblem).find((each) => each !== undefined);
  return problem && `must be an array of tags; a tag ${problem}`;
}

const TAGS_DESCRIPTION = `Tags of your choice: at most ${MAX_TAGS}, each of ${TAG_DESCRIPTION}`;

const areTags = (description: string, defaultValue?: string[]) =>
  applyDecorators(
    fieldRule('areTags', findTagsProblem, TAGS_SCHEMA),
    Optional(description, defaultValue),
  );

/** The tags of a template or module, in a body. */
export const AreTags = (defaultValue?: string[]) =>
  areTags(`${TAGS_DESCRIPTION} Changing only the tags creates no new version.`, defaultValue);

/** The tags of a picture, in a body. */
export const AreAssetTags = (remark = '') => areTags(`${TAGS_DESCRIPTION}${remark}`);

/** Tags in a query, separated by commas. */
export const AreQueryTags = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.split(',').map((tag) => tag.trim()) : value,
    ),
    fieldRule('areTags', findTagsProblem, {
      type: String,
      minLength: 1,
      maxLength: MAX_TAGS * (MAX_TAG_LENGTH + 1),
    }),
    Optional(
      `Only items with these tags, separated by commas; at most ${MAX_TAGS}. See \`tagsMatch\`.`,
    ),
  );

/** A tag in a body. */
export const IsTag = (description: string) =>
  applyDecorators(
    fieldRule('isTag', findTagProblem, {
      ...TAG_SCHEMA,
      description: `${description} ${TAG_DESCRIPTION}`,
    }),
  );
