import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { Allow, IsBoolean, IsIn, ValidateBy, ValidateIf } from 'class-validator';
import { enums, enumProperty, type EnumName } from './enums.js';
import { isStorable } from '../bodies/json-body.js';

export const MAX_NAME_LENGTH = 255;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isId = (text: string): boolean => UUID.test(text);

/**
 * A property rule that answers with the sentence that `problem` gives, or accepts; and as much of it
 * as a schema can say.
 */
export const fieldRule = (
  name: string,
  problem: (value: unknown) => string | undefined,
  schema: ApiPropertyOptions,
) =>
  applyDecorators(
    ApiProperty(schema),
    ValidateBy({
      name,
      validator: {
        validate: (value) => problem(value) === undefined,
        defaultMessage: (args) => `${args?.property ?? ''} ${problem(args?.value) ?? ''}`,
      },
    }),
  );

/** Characters of Unicode: a pair of surrogates is one. */
const countCodePoints = (text: string): number => Array.from(text).length;

export function problemOfText(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  // Counting characters takes time, and is only needed where the number of code units leaves a doubt.
  if (
    value.length > maxLength &&
    (value.length > 2 * maxLength || countCodePoints(value) > maxLength)
  ) {
    return `must be at most ${maxLength} characters long`;
  }
  return isStorable(value) ? undefined : 'must not hold NUL or half of a surrogate pair';
}

/** A text of at most `max` characters. */
export const IsText = (maxLength: number) =>
  fieldRule('isText', (value) => problemOfText(value, maxLength), { type: String, maxLength });

/** The display name of a resource: 1 to 255 characters after trimming. */
export const IsName = () =>
  fieldRule('isName', problemOfName, {
    type: String,
    minLength: 1,
    maxLength: MAX_NAME_LENGTH,
    pattern: '\\S',
    description: `1 to ${MAX_NAME_LENGTH} characters, without the blanks around it.`,
  });

function problemOfName(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const name = value.trim();
  return name === '' ? 'must not be empty' : problemOfText(name, MAX_NAME_LENGTH);
}

/** One of a list of texts, by its name. */
export const IsOneOf = (name: EnumName) =>
  applyDecorators(
    ApiProperty(enumProperty(name)),
    IsIn(enums[name], { message: `$property must be one of ${enums[name].join(', ')}` }),
  );

/** `true` or `false`. */
export const IsTrueOrFalse = () =>
  applyDecorators(ApiProperty(), IsBoolean({ message: '$property must be true or false' }));

/**
 * The id of another resource, which becomes one in lower case: it stands in events and cursors as well,
 * and a body has no transformations. A malformed one is that of nothing, as it is in a path.
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

/** A field that may be left out, and what it is then. Unlike class-validator's IsOptional it does not let null pass. */
export const Optional = (description?: string, defaultValue?: unknown) =>
  applyDecorators(
    ValidateIf((_dto, value) => value !== undefined),
    ApiProperty({
      required: false,
      ...(description && { description }),
      ...(defaultValue !== undefined && { default: defaultValue }),
    }),
  );

/** What the document says of a field, where its rule does not say it. */
export const Description = (description: string) => ApiProperty({ description });

/** What the document says of a read-only field. */
export const READ_ONLY = {
  required: false,
  description:
    'Read-only; you may send back the current value. Any other value gets 400, including the value of an earlier state.',
} as const;

/** A read-only field, which may be put back as it was read. */
export const ReadOnly = (schema: ApiPropertyOptions) =>
  applyDecorators(Allow(), ApiProperty({ ...schema, ...READ_ONLY } as ApiPropertyOptions));
