import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { DomainError, type ErrorDetail } from '#errors';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { isRecord } from './json-body.js';

/**
 * Makes DTOs of bodies and queries and validates them. Nest's own ValidationPipe walks through the
 * whole body several times, documents included, which costs more than all the rest of a request;
 * this one copies the top level and lets class-validator see just that.
 */
@Injectable()
export class DtoPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return value;
    const given = value === undefined ? {} : value;
    if (!isRecord(given)) throw new DomainError('invalid', 'The body must be a JSON object.');
    // class-validator keeps its rules in plain objects, where names like `constructor` or `toString`
    // are found without being rules.
    const inherited = Object.keys(given).filter((name) => name in Object.prototype);
    if (inherited.length > 0) throw invalid(inherited.map(unknownField));
    // A query is all text, which the DTO's transformations turn into numbers and truth values.
    const dto: object =
      type === 'query'
        ? (plainToInstance(metatype, { ...given }) as object)
        : Object.assign(new (metatype as new () => object)(), given);
    const errors = validateSync(dto, {
      whitelist: true,
      forbidNonWhitelisted: true,
      stopAtFirstError: true,
    });
    if (errors.length > 0) throw invalid(errors.map(toDetail));
    return dto;
  }
}

function toDetail({ property, constraints = {} }: ValidationError): ErrorDetail {
  const [rule = '', message = ''] = Object.entries(constraints)[0] ?? [];
  return rule === 'whitelistValidation' ? unknownField(property) : { path: property, message };
}

const unknownField = (path: string): ErrorDetail => ({
  path,
  message: `${path} is not a field of this request`,
});

const invalid = (details: ErrorDetail[]) =>
  new DomainError('invalid', `${details.map(({ message }) => message).join('; ')}.`, details);
