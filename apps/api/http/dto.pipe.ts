import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { DomainError, MAX_DETAILS, type ErrorDetail } from '#errors';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { isRecord } from '../bodies/json-body.js';

// No request has as many. Of more than these most are unknown, which the first ones show as well:
// class-validator takes seconds for a million.
const MAX_FIELDS = 100;

// Longer than the name of any field.
const MAX_SHOWN = 100;

/**
 * Makes DTOs of bodies and queries and validates them. Nest's own ValidationPipe walks through the
 * whole body several times, documents included, which costs more than all the rest of a request;
 * this one copies the top level and lets class-validator see just that.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return value;
    const { dto, faults } = toDto(metatype as DtoClass, recordOf(value), type === 'query');
    if (faults.length > 0) throw invalid(faults);
    return dto;
  }
}

/**
 * What a body or query holds; nothing if there is none.
 * @throws DomainError `invalid` for anything else than an object.
 */
export function recordOf(value: unknown): Record<string, unknown> {
  const given = value === undefined ? {} : value;
  if (!isRecord(given)) throw new DomainError('invalid', 'The body must be a JSON object.');
  return given;
}

export type DtoClass = new () => object;

/** Makes a DTO, and says what is wrong with it. */
export function toDto(
  Dto: DtoClass,
  given: Record<string, unknown>,
  isQuery = false,
): { dto: object; faults: ErrorDetail[] } {
  const names = Object.keys(given);
  if (names.length > MAX_FIELDS) {
    const first = names.slice(0, MAX_FIELDS).map((name) => [name, given[name]]);
    return toDto(Dto, Object.fromEntries(first) as typeof given, isQuery);
  }
  // class-validator keeps its rules in plain objects, where names like `constructor` or `toString`
  // are found without being rules.
  const inherited = names.filter((name) => name in Object.prototype);
  if (inherited.length > 0) {
    return { dto: given, faults: inherited.map((name) => unknownIn(name, isQuery)) };
  }
  const repeated = isQuery ? names.filter((name) => Array.isArray(given[name])) : [];
  if (repeated.length > 0) return { dto: given, faults: repeated.map(givenTwice) };
  // A query is all text, which the DTO's transformations turn into numbers and truth values.
  const dto = isQuery ? plainToInstance(Dto, { ...given }) : Object.assign(new Dto(), given);
  const errors = validateSync(dto, {
    whitelist: true,
    forbidNonWhitelisted: true,
    stopAtFirstError: true,
  });
  return { dto, faults: errors.slice(0, MAX_DETAILS).map((error) => toDetail(error, isQuery)) };
}

function toDetail(error: ValidationError, isQuery: boolean): ErrorDetail {
  const { property: path, constraints = {} } = error;
  const [rule = '', message = ''] = Object.entries(constraints)[0] ?? [];
  if (rule === 'whitelistValidation') return unknownIn(path, isQuery);
  return { path, message: error.value === undefined ? `${path} is missing` : message };
}

/** Of a name, which may be as long as the body, no more than it takes to know it. */
export function unknownIn(name: string, isQuery: boolean): ErrorDetail {
  const path = name.slice(0, MAX_SHOWN);
  return {
    path,
    message: `${path} is not a ${isQuery ? 'query parameter' : 'field'} of this request`,
  };
}

const givenTwice = (path: string): ErrorDetail => ({
  path,
  message: `${path} may be given once`,
});

export function invalid(faults: readonly ErrorDetail[]): DomainError {
  const details = faults.slice(0, MAX_DETAILS);
  return new DomainError(
    'invalid',
    `${details.map(({ message }) => message).join('; ')}.`,
    details,
  );
}
