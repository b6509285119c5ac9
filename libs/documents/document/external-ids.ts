import { sqlState } from '#database';
import { DomainError } from '#errors';
import type { DocumentKind } from './fields.js';

const UNIQUE_INDEX = 'documents_by_external_id';
const UNIQUE_VIOLATION = '23505';
// After each failure, the next try finds one more document that another request has created meanwhile. So the number of
// tries is limited by the number of requests that create documents with the same external ids at that moment.
const MAX_TRIES = 30;

/**
 * An SQL condition on the row `document`: the document has one of the given external ids.
 *
 * The unique index contains `uuid_send(workspace_id)` instead of the bare column. With the bare column, PostgreSQL
 * might use an index for lists instead, because such an index also begins with the workspace, and would then read all
 * documents of the workspace.
 * @param externalId an SQL expression for the right-hand side of the comparison.
 */
export const matchesExternalId = (
  kind: DocumentKind,
  workspaceId: string,
  externalId: string,
): string =>
  `uuid_send(document.workspace_id) = uuid_send(${workspaceId})
     AND document.external_id = ${externalId} AND document.kind = '${kind}'`;

/** Whether a statement failed because another document in the workspace has the same external id. */
export const isTakenExternalId = (error: unknown): boolean =>
  sqlState(error) === UNIQUE_VIOLATION &&
  (error as { constraint?: string }).constraint === UNIQUE_INDEX;

/** @param path the field of the request that contains the external id. */
export const takenDetail = (kind: DocumentKind, path = 'externalId') => ({
  path,
  message: `${path} belongs to another ${kind} in the workspace; choose another one, or update that ${kind}`,
});

/** @throws DomainError `already_exists` if `write` failed because of a taken external id. */
export const refuseTakenExternalId = <T>(kind: DocumentKind, write: Promise<T>): Promise<T> =>
  write.catch((error: unknown) => {
    if (!isTakenExternalId(error)) throw error;
    const detail = takenDetail(kind);
    throw new DomainError('already_exists', `${detail.message}.`, [detail]);
  });

/**
 * Runs `write` again if another request has taken an external id after `write` had found that no document has the
 * external id. In the next run, `write` finds the document of the other request.
 */
export const retryTakenExternalId = <T>(write: () => Promise<T>, tries = 1): Promise<T> =>
  write().catch((error: unknown) => {
    if (!isTakenExternalId(error)) throw error;
    if (tries === MAX_TRIES) throw DomainError.unavailable(TOO_MANY_WRITERS);
    return retryTakenExternalId(write, tries + 1);
  });

const TOO_MANY_WRITERS =
  'Too many requests create documents with the same external ids. Nothing was changed; retry in a moment.';
