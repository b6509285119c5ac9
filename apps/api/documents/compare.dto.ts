import { applyDecorators, type Type } from '@nestjs/common';
import type { VersionSelector } from '#documents';
import { Transform } from 'class-transformer';
import { ENVIRONMENT_NAME } from '../workspaces/environment-name.js';
import { fieldRule, Optional, ResourceId } from '../validation/fields.js';

const VERSION_NUMBER = /^[1-9]\d{0,8}$/;
const ANY_NUMBER = /^-?\d+$/;

/**
 * A query parameter that selects a version. The value is the number of the version, or `latest` for the latest version.
 * For templates, the value can also be the name of an environment, which selects the version that is published there.
 */
const IsVersionSelector = (kind: 'template' | 'module') =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => {
      if (typeof value !== 'string' || value === 'latest') return value;
      if (VERSION_NUMBER.test(value)) return Number(value);
      const isEnvironment =
        kind === 'template' && ENVIRONMENT_NAME.test(value) && !ANY_NUMBER.test(value);
      return isEnvironment ? { environment: value } : value;
    }),
    fieldRule(
      'isVersionSelector',
      (value) =>
        value === 'latest' || typeof value !== 'string'
          ? undefined
          : kind === 'template'
            ? 'must be the number of a version, latest, or the name of an environment'
            : 'must be the number of a version, or latest',
      {
        type: String,
        pattern: kind === 'template' ? ENVIRONMENT_NAME.source : '^(?:[1-9]\\d{0,8}|latest)$',
      },
    ),
  );

export interface CompareQuery {
  from?: VersionSelector;
  to?: VersionSelector;
  toId?: string;
}

/** Creates the query DTO for comparing versions of templates or modules. */
export function compareQueryOf(kind: 'template' | 'module'): Type<CompareQuery> {
  const names =
    kind === 'template'
      ? ', or the name of an environment, which selects the version that is published there'
      : '';
  class Query {
    @Optional(
      `The number of a version, or \`latest\`${names}. The default is the version before \`to\`, or version 1 if \`to\` is version 1. If \`toId\` is another ${kind}, the default is the latest version.`,
    )
    @IsVersionSelector(kind)
    from?: VersionSelector;

    @Optional(`The number of a version, or \`latest\`${names}. The default is \`latest\`.`)
    @IsVersionSelector(kind)
    to?: VersionSelector;

    @Optional(`The ${kind} that \`to\` is a version of. The default is the ${kind} in the path.`)
    @ResourceId(kind)
    toId?: string;
  }
  return Query;
}
