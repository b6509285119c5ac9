import type { JsonText } from '#documents';
import { OfEnvironment } from '../publishing/environment-name.js';
import { IsVersion } from '../publishing/publishing.dto.js';
import { IsDocument } from '../validation/document-field.js';
import { Optional } from '../validation/fields.js';

export class CheckDto {
  @IsDocument('The document. It must have an array `stripes`.')
  content!: JsonText;
}

export class CheckTemplateDto {
  @Optional()
  @IsVersion('The number of the version to check. The default is the latest version.')
  version?: number;

  @Optional()
  @OfEnvironment('Checks the version that is published in this environment. Not with `version`.')
  environment?: string;
}
