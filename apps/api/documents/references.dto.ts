import { applyDecorators } from '@nestjs/common';
import { restoredModules, type Expand, type RestoredModules } from '#documents';
import { fieldRule, IsOneOf, Optional } from '../validation/fields.js';
import { IsQueryBoolean } from '../validation/list-query.js';

const EXPAND_DESCRIPTION =
  'With `modules`, each reference is replaced with the document of its module. `warnings` lists the references that could not be resolved.';

/**
 * The query parameter `expand`, which replaces references with the documents of their modules.
 * @param hasEtag whether the response has an `ETag`. A list has no `ETag`.
 */
export const IsExpand = (hasEtag: boolean) =>
  applyDecorators(
    Optional(),
    fieldRule('isExpand', (value) => (value === 'modules' ? undefined : 'must be modules'), {
      type: String,
      enum: ['modules'],
      description: hasEtag
        ? `${EXPAND_DESCRIPTION} The \`ETag\` of such a response also changes when a module changes.`
        : EXPAND_DESCRIPTION,
    }),
  );

export class ExpandQuery {
  @IsExpand(true)
  expand?: Expand;
}

export class ForceQuery {
  @IsQueryBoolean(false, 'Whether to also delete modules that templates or other modules use.')
  force: boolean = false;
}

export class RestoreDto {
  @Optional(
    'Which module versions the restored document uses. `as-then`: those that were in use when the restored version was created; a reference that follows the latest version of a module is pinned to the version that was the latest then. `as-now`: the references stay as they are.',
    restoredModules[0],
  )
  @IsOneOf('RestoredModules')
  modules: RestoredModules = 'as-then';
}
