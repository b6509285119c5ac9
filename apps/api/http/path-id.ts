import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { isId } from './fields.js';

class IdPipe implements PipeTransform<string, string> {
  constructor(private readonly what: string) {}

  transform(text: string): string {
    if (!isId(text)) throw DomainError.notFound(this.what);
    return text.toLowerCase();
  }
}

class NumberPipe implements PipeTransform<string, number> {
  constructor(private readonly what: string) {}

  transform(text: string): number {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw DomainError.notFound(this.what);
    return Number(text);
  }
}

/** The id in a path. A malformed one is that of nothing. */
export const PathId = (what: string, name = 'id') =>
  described(Param(name, new IdPipe(what)), name, `The id of the ${what}.`, {
    ...{ type: 'string', format: 'uuid' },
  });

/** A number in a path that counts from 1, such as that of a version. */
export const PathNumber = (name: string) =>
  described(Param(name, new NumberPipe(name)), name, `The number of the ${name}.`, {
    ...{ type: 'integer', minimum: 1, maximum: 999_999_999 },
  });

/** A parameter's decorator that also says what the document has of it. */
const described =
  (decorate: ParameterDecorator, name: string, description: string, schema: object) =>
  (controller: object, method: string | symbol | undefined, index: number): void => {
    decorate(controller, method, index);
    if (method === undefined) return;
    const handler = Object.getOwnPropertyDescriptor(controller, method);
    if (handler) ApiParam({ name, description, schema })(controller, method, handler);
  };
