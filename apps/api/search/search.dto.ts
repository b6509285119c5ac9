import type { DocumentKind } from '#documents';
import { fieldRule, findTextProblem, IsOneOf, Optional, ResourceId } from '../validation/fields.js';
import { PageQuery } from '../validation/list-query.js';

const MAX_QUERY_LENGTH = 255;

export class SearchQueryDto extends PageQuery {
  @ResourceId('workspace')
  workspaceId!: string;

  @fieldRule('isText', (value) => findTextProblem(value, MAX_QUERY_LENGTH), {
    type: String,
    maxLength: MAX_QUERY_LENGTH,
    description:
      'The words to search for. The last word also matches longer words that begin with it.',
  })
  query!: string;

  @Optional('Only templates, or only modules.')
  @IsOneOf('DocumentKind')
  kind?: DocumentKind;
}
