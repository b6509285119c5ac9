import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { canonicalLanguage } from '#rendering';
import { Allow, IsBoolean, isEmail, IsIn, ValidateBy, ValidateIf } from 'class-validator';
import { enums, enumProperty, type EnumName } from './enums.js';
import { isStorable } from '../json/json-body.js';

export const MAX_NAME_LENGTH = 255;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isId = (text: string): boolean => UUID.test(text);

/**
 * Creates a validation rule for a property. `findProblem` returns the error message without the name of the property,
 * or undefined if the value is valid. `schema` expresses the same rule as far as a schema can.
 */
export const fieldRule = (
  name: string,
  findProblem: (value: unknown) => string | undefined,
  schema: ApiPropertyOptions,
) =>
  applyDecorators(
    ApiProperty(schema),
    ValidateBy({
      name,
      validator: {
        validate: (value) => findProblem(value) === undefined,
        defaultMessage: (args) => `${args?.property ?? ''} ${findProblem(args?.value) ?? ''}`,
      },
    }),
  );

/** Counts Unicode characters: a surrogate pair is one character. */
const countCodePoints = (text: string): number => Array.from(text).length;

export function findTextProblem(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  // Counting characters is slow. It is needed only if the text has more than `maxLength` code units, but at most twice
  // as many.
  if (
    value.length > maxLength &&
    (value.length > 2 * maxLength || countCodePoints(value) > maxLength)
  ) {
    return `must be at most ${maxLength} characters long`;
  }
  return isStorable(value)
    ? undefined
    : 'must not contain a NUL character or an unpaired surrogate';
}

/** A string of at most `maxLength` characters that PostgreSQL can store. */
export const IsText = (maxLength: number) =>
  fieldRule('isText', (value) => findTextProblem(value, maxLength), { type: String, maxLength });

/** The display name of a resource: 1 to 255 characters after trimming. */
export const IsName = () =>
  fieldRule('isName', findNameProblem, {
    type: String,
    minLength: 1,
    maxLength: MAX_NAME_LENGTH,
    pattern: '\\S',
    description: `1 to ${MAX_NAME_LENGTH} characters. Galley removes leading and trailing white space.`,
  });

function findNameProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const name = value.trim();
  return name === '' ? 'must not be empty' : findTextProblem(name, MAX_NAME_LENGTH);
}

const MAX_EXTERNAL_ID_LENGTH = 255;
const CONTROL_CHARACTER = /\p{Cc}/u;

export const EXTERNAL_ID_SCHEMA = {
  type: String,
  minLength: 1,
  maxLength: MAX_EXTERNAL_ID_LENGTH,
  pattern: '^\\S(?:.*\\S)?$',
} as const;

const EXTERNAL_ID_DESCRIPTION = `1 to ${MAX_EXTERNAL_ID_LENGTH} characters, without control characters, and without white space at the beginning or the end; not \`.\` or \`..\`. Upper and lower case differ.`;

export function findExternalIdProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  // Clients remove such a segment from the path of a URL, even if it is percent-encoded.
  if (value === '.' || value === '..') return 'must not be . or ..';
  if (value !== value.trim()) return 'must not begin or end with white space';
  if (CONTROL_CHARACTER.test(value)) return 'must not contain a control character';
  return findTextProblem(value, MAX_EXTERNAL_ID_LENGTH);
}

/** An id that the caller has given to a template or module. */
export const IsExternalId = () =>
  fieldRule('isExternalId', findExternalIdProblem, {
    ...EXTERNAL_ID_SCHEMA,
    description: `The id of your own. ${EXTERNAL_ID_DESCRIPTION}`,
  });

/** An optional external id in a body; null means none. */
export const OptionalExternalId = (description: string) =>
  applyDecorators(
    fieldRule(
      'isExternalId',
      (value) => (value === null ? undefined : findExternalIdProblem(value)),
      { ...EXTERNAL_ID_SCHEMA, nullable: true },
    ),
    Optional(`${description} ${EXTERNAL_ID_DESCRIPTION}`),
  );

// RFC 5321, section 4.5.3.1.3, limits a path to 256 characters, two of which are angle brackets.
const MAX_EMAIL_LENGTH = 254;
// The quoted form of an address may contain line breaks, which would become further SMTP commands or headers.
const UNQUOTED = /^[^\s\p{C}"<>]+$/u;

/** An email address. The handler must trim it. */
export const IsEmail = (description?: string) =>
  fieldRule(
    'isEmail',
    (value) =>
      typeof value === 'string' &&
      value.length <= MAX_EMAIL_LENGTH &&
      UNQUOTED.test(value.trim()) &&
      isEmail(value.trim())
        ? undefined
        : 'must be an email address such as ada@example.com',
    {
      type: String,
      format: 'email',
      maxLength: MAX_EMAIL_LENGTH,
      ...(description && { description }),
    },
  );

export const LANGUAGE_SCHEMA = { type: String, maxLength: 35, example: 'pt-BR' } as const;
export const LANGUAGE_PROBLEM = 'must be a language tag (BCP 47), such as pt or pt-BR';

/** A language tag. The rule makes the tag canonical: `pt_br` becomes `pt-BR`. */
export const IsLanguage = (description: string) =>
  applyDecorators(
    ApiProperty({ ...LANGUAGE_SCHEMA, description }),
    ValidateBy({
      name: 'isLanguage',
      validator: {
        validate: (value, args) => {
          const language = typeof value === 'string' ? canonicalLanguage(value) : undefined;
          if (language === undefined) return false;
          if (args) Object.assign(args.object, { [args.property]: language });
          return true;
        },
        defaultMessage: () => `$property ${LANGUAGE_PROBLEM}`,
      },
    }),
  );

export const IsOneOf = (name: EnumName) =>
  applyDecorators(
    ApiProperty(enumProperty(name)),
    IsIn(enums[name], { message: `$property must be one of ${enums[name].join(', ')}` }),
  );

export const IsTrueOrFalse = () =>
  applyDecorators(ApiProperty(), IsBoolean({ message: '$property must be true or false' }));

/**
 * The id of a resource in a body or query. This rule converts the id to lower case, because events and cursors spell
 * ids that way. A malformed id gets the same 404 as an unknown id. `PathId` does the same for ids in paths.
 */
export const ResourceId = (resourceName: string) =>
  applyDecorators(
    ApiProperty({ type: String, format: 'uuid', description: `The id of a ${resourceName}.` }),
    ValidateBy({
      name: 'isId',
      validator: {
        validate: (value, args) => {
          if (typeof value !== 'string') return false;
          if (!isId(value)) throw DomainError.notFound(resourceName);
          if (args) Object.assign(args.object, { [args.property]: value.toLowerCase() });
          return true;
        },
        defaultMessage: () => '$property must be a string',
      },
    }),
  );

/**
 * An optional field. The OpenAPI document shows `defaultValue`, but this rule does not set it. Unlike class-validator's
 * IsOptional, this rule does not accept null.
 */
export const Optional = (description?: string, defaultValue?: unknown) =>
  applyDecorators(
    ValidateIf((_dto, value) => value !== undefined),
    ApiProperty({
      required: false,
      ...(description && { description }),
      ...(defaultValue !== undefined && { default: defaultValue }),
    }),
  );

/** The description of a field whose rule provides none. */
export const Description = (description: string) => ApiProperty({ description });

/** The part that the schemas of all read-only fields share. */
export const READ_ONLY = {
  required: false,
  description:
    'Read-only. You may send back the current value; any other value gets 400, even an earlier value.',
} as const;

/**
 * A read-only field, which may be sent back unchanged. This rule accepts any value; `rejectReadOnlyChanges` compares it
 * with the current value.
 */
export const ReadOnly = (schema: ApiPropertyOptions) =>
  applyDecorators(Allow(), ApiProperty({ ...schema, ...READ_ONLY } as ApiPropertyOptions));
