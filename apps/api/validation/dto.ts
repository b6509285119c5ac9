import { DomainError, MAX_DETAILS, type ErrorDetail } from '#errors';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { isRecord } from '../json/json-body.js';
import { rememberRules } from './remember-rules.js';

rememberRules();

// No valid request has this many fields. Only the first fields of a larger object are checked, because class-validator
// takes seconds for a million fields.
const MAX_FIELDS = 100;

// The name of every valid field is shorter.
const MAX_NAME_SHOWN = 100;

/**
 * Creates a DTO from a body or query, and validates it. Nest's own ValidationPipe traverses the whole body several
 * times, including the documents, which costs more than the rest of the request. This function copies only the top
 * level of the body, and class-validator sees only the copy.
 *
 * @throws DomainError `invalid`
 */
export function validateDto(Dto: DtoClass, value: unknown, isQuery = false): object {
  const { dto, violations } = parseDto(Dto, requireObject(value), isQuery);
  if (violations.length > 0) throw validationError(violations);
  return dto;
}

/**
 * Returns the fields of a body or query. The result is empty if the request has no body or query.
 *
 * @throws DomainError `invalid` if the value is not an object.
 */
export function requireObject(value: unknown): Record<string, unknown> {
  const input = value === undefined ? {} : value;
  if (!isRecord(input)) throw new DomainError('invalid', 'The body must be a JSON object.');
  return input;
}

export type DtoClass = new () => object;

/** Like `validateDto`, but returns the violations instead of throwing an error. */
export function parseDto(
  Dto: DtoClass,
  input: Record<string, unknown>,
  isQuery = false,
): { dto: object; violations: ErrorDetail[] } {
  const names = Object.keys(input);
  if (names.length > MAX_FIELDS) {
    const firstFields = names.slice(0, MAX_FIELDS).map((name) => [name, input[name]]);
    return parseDto(Dto, Object.fromEntries(firstFields) as typeof input, isQuery);
  }
  // class-validator keeps its rules in plain objects, where inherited names like `constructor` or `toString` look like
  // rules.
  const inheritedNames = names.filter((name) => name in Object.prototype);
  if (inheritedNames.length > 0) {
    return { dto: input, violations: inheritedNames.map((name) => unknownField(name, isQuery)) };
  }
  const repeatedNames = isQuery ? names.filter((name) => Array.isArray(input[name])) : [];
  if (repeatedNames.length > 0)
    return { dto: input, violations: repeatedNames.map(repeatedParameter) };
  // All values of a query are strings, which the DTO's transformations convert to numbers and booleans.
  const dto = isQuery ? plainToInstance(Dto, { ...input }) : Object.assign(new Dto(), input);
  const errors = validateSync(dto, {
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
  });
  return { dto, violations: errors.slice(0, MAX_DETAILS).map((error) => toDetail(error, isQuery)) };
}

function toDetail(error: ValidationError, isQuery: boolean): ErrorDetail {
  const { property: path, constraints = {} } = error;
  const [rule = '', message = ''] = Object.entries(constraints)[0] ?? [];
  if (rule === 'whitelistValidation') return unknownField(path, isQuery);
  return { path, message: error.value === undefined ? `${path} is missing` : message };
}

/** A name may be as long as the body, so only its beginning is quoted. */
export function unknownField(name: string, isQuery: boolean): ErrorDetail {
  const path = name.slice(0, MAX_NAME_SHOWN);
  return {
    path,
    message: `${path} is not a ${isQuery ? 'query parameter' : 'field'} of this request`,
  };
}

const repeatedParameter = (path: string): ErrorDetail => ({
  path,
  message: `${path} must not be given more than once`,
});

export function validationError(violations: readonly ErrorDetail[]): DomainError {
  const details = violations.slice(0, MAX_DETAILS);
  return new DomainError(
    'invalid',
    `${details.map(({ message }) => message).join('; ')}.`,
    details,
  );
}
