import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { Allow, IsBoolean, IsIn, ValidateBy, ValidateIf } from 'class-validator';
import { enums, oneOf, type EnumName } from './enums.js';
import { isStorable } from '../bodies/json-body.js';

export const MAX_NAME = 255;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isId = (text: string): boolean => UUID.test(text);

/**
 * A property rule that answers with the sentence that `problem` gives, or accepts; and as much of it
 * as a schema can say.
 */
export const check = (
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
const lengthOf = (text: string): number => Array.from(text).length;

export function problemOfText(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  // Counting characters takes time, and is only needed where the number of code units leaves a doubt.
  if (value.length > max && (value.length > 2 * max || lengthOf(value) > max)) {
    return `must be at most ${max} characters long`;
  }
  return isStorable(value) ? undefined : 'must not hold NUL or half of a surrogate pair';
}

/** A text of at most `max` characters. */
export const IsText = (max: number) =>
  check('isText', (value) => problemOfText(value, max), { type: String, maxLength: max });

/** The display name of a resource: 1 to 255 characters after trimming. */
export const IsName = () =>
  check('isName', problemOfName, {
    ...{ type: String, minLength: 1, maxLength: MAX_NAME, pattern: '\\S' },
    description: `1 to ${MAX_NAME} characters, without the blanks around it.`,
  });

function problemOfName(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const name = value.trim();
  return name === '' ? 'must not be empty' : problemOfText(name, MAX_NAME);
}

/** One of a list of texts, by its name. */
export const IsOneOf = (name: EnumName) =>
  applyDecorators(
    ApiProperty(oneOf(name)),
    IsIn(enums[name], { message: `$property must be one of ${enums[name].join(', ')}` }),
  );

/** `true` or `false`. */
export const IsTrueOrFalse = () =>
  applyDecorators(ApiProperty(), IsBoolean({ message: '$property must be true or false' }));

/**
 * The id of another resource, which becomes one in lower case: it stands in events and cursors as well,
 * and a body has no transformations. A malformed one is that of nothing, as it is in a path.
 */
export const IsIdOf = (what: string) =>
  applyDecorators(
    ApiProperty({ type: String, format: 'uuid', description: `The id of a ${what}.` }),
    ValidateBy({
      name: 'isId',
      validator: {
        validate: (value, args) => {
          if (typeof value !== 'string') return false;
          if (!isId(value)) throw DomainError.notFound(what);
          if (args) Object.assign(args.object, { [args.property]: value.toLowerCase() });
          return true;
        },
        defaultMessage: () => '$property must be a string',
      },
    }),
  );

/** A field that may be left out, and what it is then. Unlike class-validator's IsOptional it does not let null pass. */
export const IfGiven = (description?: string, byDefault?: unknown) =>
  applyDecorators(
    ValidateIf((_dto, value) => value !== undefined),
    ApiProperty({
      required: false,
      ...(description && { description }),
      ...(byDefault !== undefined && { default: byDefault }),
    }),
  );

/** What the document says of a field, where its rule does not say it. */
export const Described = (description: string) => ApiProperty({ description });

/** What the document says of a read-only field. */
export const UNCHANGED = {
  required: false,
  description:
    'Cannot be changed; may be put back as it was read. Any other value is refused with 400, also that of an earlier state.',
} as const;

/** A read-only field, which may be put back as it was read. */
export const Unchanged = (schema: ApiPropertyOptions) =>
  applyDecorators(Allow(), ApiProperty({ ...schema, ...UNCHANGED } as ApiPropertyOptions));
