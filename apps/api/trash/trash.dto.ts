import { ResourceId } from '../validation/fields.js';
import { PageQuery } from '../validation/list-query.js';

export class ListTrashQuery extends PageQuery {
  @ResourceId('workspace')
  workspaceId!: string;
}
