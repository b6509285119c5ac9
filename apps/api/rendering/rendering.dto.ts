import type { JsonText } from '#documents';
import type { RenderFormat } from '#rendering';
import { OfEnvironment } from '../publishing/environment-name.js';
import { IsVersion } from '../publishing/publishing.dto.js';
import { IsDocument } from '../validation/document-field.js';
import { IsOneOf, Optional } from '../validation/fields.js';

class RenderOptions {
  @Optional(undefined, 'html')
  @IsOneOf('RenderFormat')
  format: RenderFormat = 'html';
}

export class RenderDto extends RenderOptions {
  @IsDocument('The document. It must have an array `stripes`.')
  content!: JsonText;
}

export class RenderTemplateDto extends RenderOptions {
  @Optional()
  @IsVersion('The number of the version to render. The default is the latest version.')
  version?: number;

  @Optional()
  @OfEnvironment('Renders the version that is published in this environment. Not with `version`.')
  environment?: string;
}
