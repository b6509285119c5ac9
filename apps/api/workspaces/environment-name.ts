import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { DomainError } from '#errors';
import { ValidateBy } from 'class-validator';
import { fieldRule } from '../validation/fields.js';
import { pathParam } from '../validation/path-params.js';

export const ENVIRONMENT_NAME = /^[a-z0-9-]{1,32}$/;

const NAME_SCHEMA = {
  type: String,
  pattern: ENVIRONMENT_NAME.source,
  minLength: 1,
  maxLength: 32,
} as const;

const isEnvironmentName = (value: unknown): boolean =>
  typeof value === 'string' && ENVIRONMENT_NAME.test(value);

/** The name of an environment. A malformed name gets 400. */
export const IsEnvironmentName = () =>
  fieldRule(
    'isEnvironmentName',
    (value) =>
      isEnvironmentName(value)
        ? undefined
        : 'must be 1 to 32 lower case letters, digits and hyphens, such as staging',
    NAME_SCHEMA,
  );

/** The name of the environment that a request is about. A malformed name gets the same 404 as an unknown name. */
export const OfEnvironment = (description: string) =>
  applyDecorators(
    ApiProperty({ ...NAME_SCHEMA, description }),
    ValidateBy({
      name: 'isEnvironment',
      validator: {
        validate: (value) => {
          if (typeof value === 'string') requireEnvironmentName(value);
          return typeof value === 'string';
        },
        defaultMessage: () => '$property must be a string',
      },
    }),
  );

function requireEnvironmentName(value: string): string {
  if (!isEnvironmentName(value)) throw DomainError.notFound('environment');
  return value;
}

/** Injects the name of an environment from the path. A malformed name gets the same 404 as an unknown name. */
export const PathEnvironment = () =>
  pathParam('environment', requireEnvironmentName, 'The name of the environment.', {
    ...NAME_SCHEMA,
    type: 'string',
  });
