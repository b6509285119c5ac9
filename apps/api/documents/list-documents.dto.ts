import type { Type } from '@nestjs/common';
import type { DocumentKind, Expand, TagMatch } from '#documents';
import { PRODUCTION } from '#workspaces';
import { IsEnvironmentName } from '../workspaces/environment-name.js';
import { IsExternalId, IsOneOf, Optional, ResourceId } from '../validation/fields.js';
import { IsQueryBoolean, IsSearch, SortedQuery } from '../validation/list-query.js';
import { WITH_DOCUMENTS_DESCRIPTION } from '../validation/schemas.js';
import { IsExpand } from './references.dto.js';
import { AreQueryTags } from '../tags/tag-fields.js';
import { addTextFilters } from './text-fields.js';

class ListDocumentsQuery extends SortedQuery {
  @ResourceId('workspace')
  workspaceId!: string;

  @Optional()
  @IsSearch()
  search?: string;

  @AreQueryTags()
  tags?: string[];

  @Optional('Whether an item must have all of the `tags`, or at least one of them.', 'all')
  @IsOneOf('TagMatch')
  tagsMatch?: TagMatch;

  @Optional('Only the item with exactly this id of your own.')
  @IsExternalId()
  externalId?: string;

  @Optional('Only items that this user created. For an API key, send its `userId`.')
  @ResourceId('user')
  createdBy?: string;

  @Optional(
    'Only items whose last change was made by this user. For an API key, send its `userId`.',
  )
  @ResourceId('user')
  updatedBy?: string;

  @Optional('Only items that refer to this module directly, not through another module.')
  @ResourceId('module')
  moduleId?: string;

  @IsQueryBoolean(true, WITH_DOCUMENTS_DESCRIPTION)
  content: boolean = true;

  @IsExpand(false)
  expand?: Expand;
}

class ListTemplatesQuery extends ListDocumentsQuery {
  @IsQueryBoolean(
    undefined,
    'If `true`, only templates that are published in the `environment`; if `false`, only templates that are not.',
  )
  published?: boolean;

  @Optional('The environment that `published` refers to.', PRODUCTION)
  @IsEnvironmentName()
  environment: string = PRODUCTION;
}

export type ListQuery = ListDocumentsQuery & Partial<ListTemplatesQuery>;

/** Creates the query DTO for listing templates or modules. */
export function listQueryOf(kind: DocumentKind): Type<ListQuery> {
  const Base = kind === 'template' ? ListTemplatesQuery : ListDocumentsQuery;
  class Query extends Base {}
  addTextFilters(Query, kind);
  return Query;
}
