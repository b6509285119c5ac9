import type { JsonText } from '#json';
import { ruleNames, type MergeData, type RuleName } from '#rendering';
import { checkLevels, type CheckLevel } from '#workspaces';
import { OfEnvironment } from '../workspaces/environment-name.js';
import { IsVersion } from '../publishing/publishing.dto.js';
import { IsDocument } from '../validation/document-field.js';
import {
  IsLanguage,
  fieldRule,
  IsTrueOrFalse,
  Optional,
  ResourceId,
} from '../validation/fields.js';
import { IsMergeData } from '../validation/merge-data-field.js';
import { LEVELS_SCHEMA } from './checking.responses.js';

class CheckOptions {
  @Optional()
  @IsLanguage('The language of the texts to check. The default is the language of the document.')
  language?: string;

  @Optional()
  @IsMergeData(
    'The values for one recipient. With `data`, the size of the HTML is the size for this recipient, and merge tags without a default are reported only if `data` has no value for them.',
  )
  data?: MergeData;
}

export class CheckDto extends CheckOptions {
  @IsDocument('The document. It must have a `stripes` array.')
  content!: JsonText;

  @Optional('The workspace whose check settings apply.')
  @ResourceId('workspace')
  workspaceId?: string;
}

export class CheckTemplateDto extends CheckOptions {
  @Optional()
  @IsVersion('The number of the version to check. The default is the latest version.')
  version?: number;

  @Optional()
  @OfEnvironment(
    'Checks the version that is published in this environment. Cannot be combined with `version`.',
  )
  environment?: string;
}

const isOneOf = (list: readonly string[], value: unknown): boolean =>
  typeof value === 'string' && list.includes(value);

function findLevelsProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'must be an object whose keys are rules and whose values are levels';
  }
  for (const [name, level] of Object.entries(value)) {
    if (!isOneOf(ruleNames, name)) return `has an unknown rule: ${name.slice(0, 100)}`;
    if (!isOneOf(checkLevels, level)) return `must set ${name} to one of ${checkLevels.join(', ')}`;
  }
  return undefined;
}

export class ChangeCheckSettingsDto {
  @Optional()
  @fieldRule('areLevels', findLevelsProblem, LEVELS_SCHEMA)
  levels?: Partial<Record<RuleName, CheckLevel>>;

  @Optional('Whether errors prevent a version from being published.')
  @IsTrueOrFalse()
  errorsBlockPublishing?: boolean;
}
