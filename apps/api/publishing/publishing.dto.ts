import type { Expand } from '#documents';
import { PRODUCTION } from '#workspaces';
import { fieldRule, IsText, Optional } from '../validation/fields.js';
import { IsExpand } from '../documents/references.dto.js';
import { IsQueryBoolean, PageQuery } from '../validation/list-query.js';
import { IsTime } from '../validation/times.js';
import { IsEnvironmentName, OfEnvironment } from '../workspaces/environment-name.js';

const MAX_NOTE_LENGTH = 2_000;
// The largest version number that a path may contain.
const MAX_VERSION = 999_999_999;

export const IsVersion = (description: string) =>
  fieldRule(
    'isVersion',
    (value) =>
      Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_VERSION
        ? undefined
        : 'must be the number of a version, which is at least 1',
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
