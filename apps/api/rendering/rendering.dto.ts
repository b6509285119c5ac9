import type { JsonText } from '#json';
import type { MailClient, MergeData, RenderFormat } from '#rendering';
import { OfEnvironment } from '../workspaces/environment-name.js';
import { IsVersion } from '../publishing/publishing.dto.js';
import { IsDocument } from '../validation/document-field.js';
import { IsLanguage, IsOneOf, IsTrueOrFalse, Optional, ResourceId } from '../validation/fields.js';
import { IsMergeData } from '../validation/merge-data-field.js';

class RenderOptions {
  @Optional()
  @IsOneOf('MailClient')
  client?: MailClient;

  @Optional(undefined, 'html')
  @IsOneOf('RenderFormat')
  format: RenderFormat = 'html';

  @Optional()
  @IsLanguage(
    'The language of the texts. A text without a translation falls back to a more general language, such as `pt` for `pt-BR`, and then to the language of the document.',
  )
  language?: string;

  @Optional()
  @IsMergeData(
    'The values for merge tags, conditions and repetitions. Without `data`, merge tags are not replaced, and each node is shown once.',
  )
  data?: MergeData;

  @Optional(
    'Whether Galley refuses data that does not fit the `variables` of the document. A document without `variables` accepts any data.',
    false,
  )
  @IsTrueOrFalse()
  strict?: boolean;
}

export class RenderDto extends RenderOptions {
  @IsDocument('The document. It must have a `stripes` array.')
  content!: JsonText;

  @Optional(
    'The workspace for which the document is rendered. The rendering shares the turns of this workspace with its other renderings.',
  )
  @ResourceId('workspace')
  workspaceId?: string;
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
