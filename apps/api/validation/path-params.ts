import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { isId } from './fields.js';

class IdPipe implements PipeTransform<string, string> {
  constructor(private readonly resourceName: string) {}

  transform(value: string): string {
    if (!isId(value)) throw DomainError.notFound(this.resourceName);
    return value.toLowerCase();
  }
}

class NumberPipe implements PipeTransform<string, number> {
  constructor(private readonly resourceName: string) {}

  transform(value: string): number {
    if (!/^[1-9]\d{0,8}$/.test(value)) throw DomainError.notFound(this.resourceName);
    return Number(value);
  }
}

/** The id in a path. A malformed id gets the same 404 as an unknown id. */
export const PathId = (resourceName: string, name = 'id') =>
  describedParam(Param(name, new IdPipe(resourceName)), name, `The id of the ${resourceName}.`, {
    type: 'string',
    format: 'uuid',
  });

/** A number in a path that counts from 1, such as a version. */
export const PathNumber = (name: string) =>
  describedParam(Param(name, new NumberPipe(name)), name, `The number of the ${name}.`, {
    type: 'integer',
    minimum: 1,
    maximum: 999_999_999,
  });

/** A parameter decorator that also describes the parameter in the OpenAPI document. */
export const describedParam =
  (decorator: ParameterDecorator, name: string, description: string, schema: object) =>
  (controller: object, method: string | symbol | undefined, index: number): void => {
    decorator(controller, method, index);
    if (method === undefined) return;
    const handler = Object.getOwnPropertyDescriptor(controller, method);
    if (handler) ApiParam({ name, description, schema })(controller, method, handler);
  };
