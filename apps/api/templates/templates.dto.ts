import { IsDocument } from '../validation/document-field.js';
import { CompareQueryOf } from '../documents/compare.dto.js';
import { DocumentChangeDto, NewDocumentDto } from '../documents/document.dto.js';
import { ListDocumentsQuery } from '../documents/list-documents.dto.js';
import { IsEnvironmentName } from '../publishing/environment-name.js';
import { Optional } from '../validation/fields.js';
import { IsQueryBoolean } from '../validation/list-query.js';
import type { JsonText } from '#json';
import { PRODUCTION } from '#workspaces';
import { TEMPLATE } from '#documents';

/** The document of a template that was created without one. */
export const EMPTY_DOCUMENT = JSON.parse(TEMPLATE.defaultContent?.text ?? 'null') as unknown;

export class CreateTemplateDto extends NewDocumentDto {
  @Optional('The document.', EMPTY_DOCUMENT)
  @IsDocument()
  content?: JsonText;
}

export class UpdateTemplateDto extends DocumentChangeDto {}

export class ListTemplatesQuery extends ListDocumentsQuery {
  @IsQueryBoolean(
    undefined,
    'With `true`, only templates that are published in the `environment`; with `false`, only the others.',
  )
  published?: boolean;

  @Optional('The environment of `published`.', PRODUCTION)
  @IsEnvironmentName()
  environment: string = PRODUCTION;
}

export class CompareTemplatesQuery extends CompareQueryOf('template') {}
