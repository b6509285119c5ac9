import { applyDecorators } from '@nestjs/common';
import { restoredModules, type Expand, type RestoredModules } from '#documents';
import { fieldRule, IsOneOf, Optional } from '../validation/fields.js';
import { IsQueryBoolean } from '../validation/list-query.js';

/** The choice whether the documents of modules stand in the places of references. */
export const IsExpand = () =>
  applyDecorators(
    Optional(),
    fieldRule('isExpand', (value) => (value === 'modules' ? undefined : 'must be modules'), {
      type: String,
      enum: ['modules'],
      description:
        'With `modules`, the response has the documents of modules in the places of the references, and `warnings`. The `ETag` of such a response also changes when a module changes; you may send it as `If-Match`.',
    }),
  );

export class ExpandQuery {
  @IsExpand()
  expand?: Expand;
}

export class ForceQuery {
  @IsQueryBoolean(false, 'Also deletes modules that templates or other modules use.')
  force: boolean = false;
}

export class RestoreDto {
  @Optional(
    'Which versions of modules the new version uses. `as-then`: those that the restored version used when it was made; references that follow the latest version of a module are pinned to the version of that time. `as-now`: the references stay as they are.',
    restoredModules[0],
  )
  @IsOneOf('RestoredModules')
  modules: RestoredModules = 'as-then';
}
