/*
 * Decorators for handler parameters that are read from the request and validated. They are not pipes: Nest creates ten
 * promises for each parameter with a pipe, and none for a value that a decorator returns synchronously.
 */
import { Body, createParamDecorator, Query, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { validateDto, type DtoClass } from './dto.js';

/**
 * Injects the value that `read` returns for the request.
 * @param describe a Nest decorator that describes the parameter in the OpenAPI document. It is applied first, so that
 * it does not replace the value of `read`.
 */
export function fromRequest(
  read: (request: FastifyRequest) => unknown,
  describe: ParameterDecorator,
): ParameterDecorator {
  const pass = createParamDecorator((_data: unknown, context: ExecutionContext) =>
    read(context.switchToHttp().getRequest<FastifyRequest>()),
  );
  return (controller, method, index) => {
    describe(controller, method, index);
    pass()(controller, method, index);
  };
}

/**
 * Injects the query as an instance of the DTO class that the parameter of the handler declares.
 * @param Type the DTO class, required if the declared type is not a class.
 */
export const QueryDto = (Type?: DtoClass): ParameterDecorator =>
  dtoParameter(Query(), (Dto, { query }) => validateDto(Dto, query, true), Type);

/**
 * Injects the body as an instance of the DTO class that the parameter of the handler declares.
 * @param Type the DTO class, required if the declared type is not a class.
 * @param validate checks what the DTO does not check, and returns the value for the handler.
 */
export const BodyDto = (Type?: DtoClass, validate?: (dto: object) => unknown): ParameterDecorator =>
  dtoParameter(
    Body(),
    (Dto, { body }) => {
      const dto = validateDto(Dto, body);
      return validate === undefined ? dto : validate(dto);
    },
    Type,
  );

function dtoParameter(
  describe: ParameterDecorator,
  read: (Dto: DtoClass, request: FastifyRequest) => unknown,
  Type?: DtoClass,
): ParameterDecorator {
  return (controller, method, index) => {
    const types = Reflect.getMetadata('design:paramtypes', controller, method ?? '') as DtoClass[];
    // @nestjs/swagger reads the type of the parameter from this list.
    if (Type !== undefined) types[index] = Type;
    const Dto = types[index] as DtoClass;
    fromRequest((request) => read(Dto, request), describe)(controller, method, index);
  };
}

export interface TakenInputs {
  query: boolean;
  body: boolean;
}

/** Finds out from Nest's own metadata which inputs a handler takes, because Nest has no public API for this purpose. */
export function takenInputs(controller: object, method: string | symbol): TakenInputs {
  const parameters: unknown = Reflect.getMetadata(
    ROUTE_ARGS_METADATA,
    controller.constructor,
    method,
  );
  const keys = Object.keys(parameters ?? {});
  const takes = (type: RouteParamtypes) => keys.some((key) => key.startsWith(`${type}:`));
  return { query: takes(RouteParamtypes.QUERY), body: takes(RouteParamtypes.BODY) };
}
