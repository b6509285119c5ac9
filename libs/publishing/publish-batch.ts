import { noEvent, withEvents, type Transaction } from '#database';
import { isOfKind, matchesExternalId, type DocumentStore } from '#documents';
import { DomainError } from '#errors';
import type { DomainEvent } from '#events';
import {
  authoriseList,
  callerColumns,
  fromCallerInWorkspace,
  newIdFor,
  rightIn,
  type Actor,
  type CallerRow,
} from '#workspaces';
import { CheckRequired } from './check-required.js';
import { lockPointer } from './lock-pointer.sql.js';
import { movePointer } from './move-pointer.sql.js';
import type { Publication } from './publication.js';

export interface PublishBatchRequest {
  workspaceId: string;
  environment: string;
  note: string;
  /** At most 100. Each has an `id` or an `externalId`. By default, the latest version is published. */
  templates: readonly { id?: string; externalId?: string; version?: number }[];
}

/** A template of the request. */
interface Target {
  templateId: string;
  version: number;
  /** The place in the request. */
  path: string;
}

type FindRefusal = (templateId: string, version: number) => Promise<DomainError | undefined>;

/** Publishes several templates of a workspace, all or none of them. */
export async function publishBatch(
  store: DocumentStore,
  actor: Actor,
  request: PublishBatchRequest,
  findRefusal: FindRefusal,
): Promise<{ data: Publication[] }> {
  let targets: readonly Target[] = [];
  const move = (isChecked: boolean) =>
    store.unitOfWork.write(async (transaction) => {
      // The versions that were checked are published, and not those that are the latest by now.
      if (!isChecked) targets = await findTargets(transaction, actor, request);
      return moveAll(transaction, actor, request, targets, isChecked);
    }, actor.idempotencyKey);
  try {
    return await move(false);
  } catch (error) {
    if (!(error instanceof CheckRequired)) throw error;
  }
  // No transaction stays open while a thread renders the versions.
  for (const { templateId, version, path } of targets) {
    const refusal = await findRefusal(templateId, version);
    if (refusal === undefined) continue;
    const { code, message, details = [] } = refusal;
    const inTemplate = details.map((detail) => ({ ...detail, path: `${path}/${detail.path}` }));
    throw new DomainError(code, `${path}: ${message}`, inTemplate);
  }
  return move(true);
}

// $1 is the caller, $2 the workspace, $3 the ids and $4 the external ids.
const SELECT_TEMPLATES = `SELECT ${callerColumns('workspace.id')}, template.* ${fromCallerInWorkspace('$2')}
  LEFT JOIN LATERAL (
    SELECT id, external_id AS "externalId", version FROM documents
    WHERE id = ANY($3::uuid[]) AND workspace_id = member.workspace_id AND ${isOfKind('documents', 'template')}
    UNION ALL
    SELECT document.id, document.external_id, document.version
    FROM unnest($4::text[]) AS wanted (external_id) CROSS JOIN LATERAL (
      SELECT * FROM documents document
      WHERE ${matchesExternalId('template', 'member.workspace_id', 'wanted.external_id')} LIMIT 1
    ) document
  ) template ON true
  WHERE caller.id = $1`;

interface TemplateRow {
  id: string;
  externalId: string | null;
  version: number;
}

/** Finds the templates of the request, in the order of the request. */
async function findTargets(
  { query }: Transaction,
  actor: Actor,
  { workspaceId, templates }: PublishBatchRequest,
): Promise<Target[]> {
  const wantedIds = templates.flatMap(({ id }) => id ?? []);
  const wantedExternalIds = templates.flatMap(({ id, externalId }) =>
    id ? [] : (externalId ?? []),
  );
  const found = await query<CallerRow & TemplateRow>(SELECT_TEMPLATES, [
    actor.userId,
    workspaceId,
    wantedIds,
    wantedExternalIds,
  ]);
  const rows = authoriseList(found, 'editor', 'workspace');
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byExternalId = new Map(rows.map((row) => [row.externalId, row]));
  const seen = new Set<string>();
  return templates.map(({ id, externalId = null, version }, index) => {
    const path = `templates/${index}`;
    const found = id === undefined ? byExternalId.get(externalId) : byId.get(id.toLowerCase());
    if (found === undefined) {
      const message = 'there is no such template in the workspace';
      throw DomainError.notFound('template', [{ path, message }]);
    }
    if (seen.has(found.id)) {
      throw DomainError.invalid(path, `${path} names a template that the request names before`);
    }
    seen.add(found.id);
    return { templateId: found.id, version: version ?? found.version, path };
  });
}

async function moveAll(
  transaction: Transaction,
  actor: Actor,
  { workspaceId, environment, note }: PublishBatchRequest,
  targets: readonly Target[],
  isChecked: boolean,
) {
  const publications = new Map<string, Publication>();
  const events: DomainEvent[] = [];
  // Batches that publish the same templates lock them in the same order, so no two of them wait for each other.
  const inOrder = [...targets].sort((one, other) => (one.templateId < other.templateId ? -1 : 1));
  for (const { templateId, version, path } of inOrder) {
    const target = { environment, version };
    const locked = await lockPointer(transaction, actor, templateId, target).catch(
      (error: unknown) => {
        throw error instanceof DomainError && error.code === 'not_found'
          ? DomainError.notFound('version', [{ path, message: error.message }])
          : error;
      },
    );
    const { current, errorsBlockPublishing } = locked;
    if (errorsBlockPublishing && !isChecked && current.version !== version)
      throw new CheckRequired();
    const moved = await movePointer(transaction.query, {
      id: newIdFor(workspaceId),
      templateId,
      environment,
      version,
      note,
      userId: actor.userId,
      createdAt: null,
    });
    publications.set(templateId, moved?.publication ?? current);
    if (moved) events.push(moved.event);
  }
  transaction.requireForReplay(rightIn(workspaceId, 'editor'));
  const data = targets.map(({ templateId }) => publications.get(templateId) as Publication);
  const [first, ...others] = events;
  return first === undefined
    ? noEvent({ data }, 'all versions are published already')
    : withEvents({ data }, first, ...others);
}
