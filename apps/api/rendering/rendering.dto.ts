import type { JsonText } from '#json';
import type { MergeData, RenderFormat } from '#rendering';
import { OfEnvironment } from '../workspaces/environment-name.js';
import { IsVersion } from '../publishing/publishing.dto.js';
import { IsDocument } from '../validation/document-field.js';
import { fieldRule, IsOneOf, Optional } from '../validation/fields.js';

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const IsMergeData = () =>
  fieldRule('isMergeData', (value) => (isObject(value) ? undefined : 'must be an object'), {
    type: 'object',
    additionalProperties: true,
    description:
      'The values for merge tags, conditions and repetitions. Without `data`, merge tags are not replaced, and each node is shown once.',
  });

class RenderOptions {
  @Optional(undefined, 'html')
  @IsOneOf('RenderFormat')
  format: RenderFormat = 'html';

  @Optional()
  @IsMergeData()
  data?: MergeData;
}

export class RenderDto extends RenderOptions {
  @IsDocument('The document. It must have a `stripes` array.')
  content!: JsonText;
}

export class RenderTemplateDto extends RenderOptions {
  @Optional()
  @IsVersion('The number of the version to render. The default is the latest version.')
  version?: number;

  @Optional()
  @OfEnvironment(
    'Renders the version that is published in this environment. Cannot be combined with `version`.',
  )
  environment?: string;
}
