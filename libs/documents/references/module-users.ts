import type { Transaction } from '#database';
import { DomainError } from '#errors';

/** At most `MAX_COUNTED` usages are counted. `isMore` is true if there are more. */
interface UsageCounts {
  templates: number;
  modules: number;
  isMore: boolean;
}

// A module may be used a million times, and the module stays locked while the usages are counted.
const MAX_COUNTED = 1_000;

/** Counts the documents that use any of the modules. */
export async function countUsages(
  { query }: Pick<Transaction, 'query'>,
  moduleIds: readonly string[],
): Promise<UsageCounts | undefined> {
  const [counts] = await query<UsageCounts>(
    `SELECT count(DISTINCT document_id) FILTER (WHERE document_kind = 'template')::integer AS templates,
       count(DISTINCT document_id) FILTER (WHERE document_kind = 'module')::integer AS modules,
       count(*) > ${MAX_COUNTED} AS "isMore"
     FROM (
       SELECT document_id, document_kind FROM module_usages
       WHERE module_id = ANY ($1) LIMIT ${MAX_COUNTED + 1}
     ) usage`,
    [moduleIds],
  );
  return counts;
}

/** @throws DomainError `in_use` if a document uses the module. */
export function rejectUsed({ templates, modules, isMore }: UsageCounts): void {
  const users = [
    ...(templates > 0 ? [`${templates} ${templates === 1 ? 'template' : 'templates'}`] : []),
    ...(modules > 0 ? [`${modules} ${modules === 1 ? 'module' : 'modules'}`] : []),
  ];
  if (users.length === 0) return;
  const verb = templates + modules === 1 ? 'uses' : 'use';
  const problem = isMore
    ? `This module is used more than ${MAX_COUNTED.toLocaleString('en')} times.`
    : `${users.join(' and ')} ${verb} this module.`;
  throw new DomainError(
    'in_use',
    `${problem} Remove the references, or send force=true to delete the module anyway.`,
  );
}
