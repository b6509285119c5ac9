import type { Expand } from '#documents';
import { DomainError } from '#errors';
import { PRODUCTION } from '#workspaces';
import {
  EXTERNAL_ID_SCHEMA,
  fieldRule,
  findExternalIdProblem,
  isId,
  IsText,
  Optional,
} from '../validation/fields.js';
import { IsExpand } from '../documents/references.dto.js';
import { IsQueryBoolean, PageQuery } from '../validation/list-query.js';
import { IsTime } from '../validation/times.js';
import { IsEnvironmentName, OfEnvironment } from '../workspaces/environment-name.js';

const MAX_NOTE_LENGTH = 2_000;
// The largest version number that a path may contain.
const MAX_VERSION = 999_999_999;

const isVersion = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_VERSION;

export const IsVersion = (description: string) =>
  fieldRule(
    'isVersion',
    (value) =>
      isVersion(value) ? undefined : 'must be the number of a version, which is at least 1',
    {
      type: 'integer',
      minimum: 1,
      maximum: MAX_VERSION,
      description,
    },
  );

export class CreateEnvironmentDto {
  @IsEnvironmentName()
  name!: string;
}

export class DeleteEnvironmentQuery {
  @IsQueryBoolean(
    false,
    'Whether to also unpublish everything in the environment, and to cancel the scheduled publications there.',
  )
  force = false;
}

export class UnpublishDto {
  @Optional(undefined, PRODUCTION)
  @OfEnvironment('The name of the environment.')
  environment: string = PRODUCTION;

  @Optional('A note for the publication history, such as the reason for the change.', '')
  @IsText(MAX_NOTE_LENGTH)
  note: string = '';
}

export class PublishDto extends UnpublishDto {
  @IsVersion('The number of the version to publish.')
  version!: number;

  @Optional()
  @IsTime(
    'When to publish the version: a time in the future. Without `at`, Galley publishes the version immediately.',
  )
  at?: string;
}

const MAX_BATCH = 100;

interface BatchTemplate {
  id?: string;
  externalId?: string;
  version?: number;
}

function findBatchProblem(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_BATCH) {
    return `must be a list of 1 to ${MAX_BATCH} templates`;
  }
  const index = value.findIndex((each) => !isBatchTemplate(each));
  return index < 0
    ? undefined
    : `must have either an \`id\` or an \`externalId\`, and may have a \`version\`, at index ${index}`;
}

function isBatchTemplate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id, externalId, version } = value as Record<string, unknown>;
  // A malformed id gets the same 404 as an unknown id.
  if (typeof id === 'string' && !isId(id)) throw DomainError.notFound('template');
  const hasId = externalId === undefined && typeof id === 'string';
  const hasExternalId = id === undefined && findExternalIdProblem(externalId) === undefined;
  return (hasId || hasExternalId) && (version === undefined || isVersion(version));
}

export class PublishBatchDto extends UnpublishDto {
  @fieldRule('areTemplates', findBatchProblem, {
    type: 'array',
    minItems: 1,
    maxItems: MAX_BATCH,
    description: 'The templates to publish. No two of them may be the same.',
    items: {
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid', description: 'The id of the template.' },
        externalId: {
          ...EXTERNAL_ID_SCHEMA,
          type: 'string',
          description: 'The id of your own that the template has, instead of `id`.',
        },
        version: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_VERSION,
          description: 'The version to publish. The default is the latest version.',
        },
      },
    },
  })
  templates!: BatchTemplate[];
}

export class ListPublicationsQuery extends PageQuery {
  @Optional()
  @OfEnvironment('Only publications in this environment.')
  environment?: string;
}

export class PublishedQuery {
  @Optional(undefined, PRODUCTION)
  @OfEnvironment('The name of the environment.')
  environment: string = PRODUCTION;

  @IsExpand(true)
  expand?: Expand;
}
