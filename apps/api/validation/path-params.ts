import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { canonicalLanguage } from '#rendering';
import type { FastifyRequest } from 'fastify';
import {
  EXTERNAL_ID_SCHEMA,
  findExternalIdProblem,
  isId,
  LANGUAGE_PROBLEM,
  LANGUAGE_SCHEMA,
} from './fields.js';
import { fromRequest } from './inputs.js';

function parseId(value: string, resourceName: string): string {
  if (!isId(value)) throw DomainError.notFound(resourceName);
  return value.toLowerCase();
}

function parseNumber(value: string, resourceName: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw DomainError.notFound(resourceName);
  return Number(value);
}

/** Injects an id from the path. A malformed id gets the same 404 as an unknown id. */
export const PathId = (resourceName: string, name = 'id') =>
  pathParam(name, (value) => parseId(value, resourceName), `The id of the ${resourceName}.`, {
    type: 'string',
    format: 'uuid',
  });

function parseExternalId(value: string): string {
  const problem = findExternalIdProblem(value);
  if (problem !== undefined) throw DomainError.invalid('externalId', `externalId ${problem}`);
  return value;
}

/** Injects an id that the caller has given to a template or module. */
export const PathExternalId = (resourceName: string) =>
  pathParam(
    'externalId',
    parseExternalId,
    `The id of your own that the ${resourceName} has. Percent-encode it, for example \`/\` as \`%2F\`.`,
    { ...EXTERNAL_ID_SCHEMA, type: 'string' },
  );

/** Injects a language from the path, as a canonical tag. */
export const PathLanguage = () =>
  pathParam(
    'language',
    (value) => {
      const language = canonicalLanguage(value);
      if (language === undefined) {
        throw DomainError.invalid('language', `language ${LANGUAGE_PROBLEM}`);
      }
      return language;
    },
    'The language as a tag (BCP 47).',
    { ...LANGUAGE_SCHEMA, type: 'string' },
  );

/** Injects a positive number from the path, such as a version number. */
export const PathNumber = (name: string) =>
  pathParam(name, (value) => parseNumber(value, name), `The number of the ${name}.`, {
    type: 'integer',
    minimum: 1,
    maximum: 999_999_999,
  });

/**
 * Injects a path parameter, and describes it in the OpenAPI document.
 * @param parse converts the text in the path to the value for the handler, or throws.
 */
export const pathParam =
  (
    name: string,
    parse: (value: string) => unknown,
    description: string,
    schema: object,
  ): ParameterDecorator =>
  (controller, method, index) => {
    const read = ({ params }: FastifyRequest) =>
      parse((params as Record<string, string>)[name] ?? '');
    fromRequest(read, Param(name))(controller, method, index);
    if (method === undefined) return;
    const handler = Object.getOwnPropertyDescriptor(controller, method);
    if (handler) ApiParam({ name, description, schema })(controller, method, handler);
  };
